"""The ledger of required behaviours, a sentence each, and the mark by which a test says what it proves."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Requirement(NamedTuple):
    """A promise: the section of the contract that it comes from, and what it says."""

    source: str
    sentence: str


FORM = {
    "form-spellings": Requirement("1", "Every model takes both spellings and writes camelCase without absent fields."),
    "form-frozen": Requirement(
        "1", "Models are frozen, with tuples and read-only mappings, so no listener changes one."
    ),
    "form-params": Requirement("2", "A form is an AskParams, a mapping or JSON text."),
    "form-defaults": Requirement("2.1", "Blank or null optional fields count as absent; labels default to Q1, Q2, …."),
    "form-trimmed": Requirement("2.1", "Ids, prompts, values and labels are trimmed."),
    "form-label-derived": Requirement("2.1", "An absent option label is made from its value; still blank is an issue."),
    "form-label-visible": Requirement("2.1", "A label without one visible character is an issue."),
    "form-unique": Requirement("2.1", "Question ids are unique in the form, option values in their question."),
    "form-type": Requirement("2.1", "A type other than single, multi or preview is an issue."),
    "form-not-empty": Requirement("2.1", "A form needs a question, and a question an option."),
    "form-preview-needed": Requirement("2.1", "A preview question needs a preview on every option."),
    "form-preview-both": Requirement("2.1", "preview and previewFile together are an issue at previewFile."),
    "form-all-issues": Requirement("2.1", "All issues are collected at once, each with its path and what to change."),
    "form-nothing-opens": Requirement("2.1", "A form with issues opens nothing; result and text name every issue."),
    "form-wrong-types": Requirement("2.1", "A wrong type at any place is an issue, never a traceback."),
    "form-hostile": Requirement("2.1", "Text that is no JSON, no UTF-8 or nested without end is one issue."),
    "form-large": Requirement("2.1", "Thousands of options and words of any length are taken as they are."),
    "form-recommended": Requirement("2.1", "recommended changes neither values nor labels."),
    "preview-file": Requirement("2.1", "A preview file is regular, not empty, UTF-8 without NUL, of 1 MiB at most."),
    "preview-read": Requirement("2.1", "Once read, a preview file's text stands in preview and the path is gone."),
    "preview-off-loop": Requirement("2.1", "Preview files are read off the event loop."),
    "questions-normalised": Requirement("2.2", "Normalising a normalised form changes nothing."),
    "questions-as-multi": Requirement("2.2", "A single question can be presented as multi, and says both types then."),
}

SURFACE = {
    "surface-tui": Requirement("2.3", "Mode tui uses the native surface, never a negotiated one."),
    "surface-offer-once": Requirement("2.3", "Other modes emit the offer once, synchronously."),
    "surface-first-wins": Requirement("2.3", "The first valid provider wins."),
    "surface-refused": Requirement(
        "2.3", "connect refuses, and never raises, for whatever is no provider or too late."
    ),
    "surface-background": Requirement("2.3", "A background form outside tui is never offered."),
    "surface-fallback": Requirement("2.3", "Without a surface the text lists the questions with their options."),
    "surface-quit": Requirement("3", "A program that quits, or the session, ends its forms as failures, not cancels."),
    "surface-open-kinds": Requirement("2.3", "open may be a coroutine function, return an awaitable or the response."),
    "surface-request": Requirement(
        "2.3", "The request names the flow, the call and the questions, without file paths."
    ),
}

ENDING = {
    "ending-open-answers": Requirement("2.4", "A valid answer from open is returned; completed once; the token fires."),
    "ending-submit-answers": Requirement("2.4", "A valid submit is returned; completed once; the token fires."),
    "ending-open-cancels": Requirement("2.4", "A cancel from open returns a cancelled result; completed once."),
    "ending-submit-cancels": Requirement("2.4", "A cancel by submit returns a cancelled result; completed once."),
    "ending-abort-before": Requirement("2.4", "A signal that has fired before returns a cancelled result, unopened."),
    "ending-abort-during": Requirement("2.4", "A signal that fires during returns a cancelled result; completed once."),
    "ending-task-cancelled": Requirement(
        "2.4", "A cancelled task goes on with CancelledError; completed once, cancelled."
    ),
    "ending-open-invalid": Requirement("2.4", "An invalid response from open raises ExternalUIError; no completed."),
    "ending-open-nothing": Requirement("2.4", "No response from open raises ExternalUIError; no completed."),
    "ending-open-raises": Requirement("2.4", "An open that raises raises ExternalUIError from it; no completed."),
    "ending-submit-invalid": Requirement("2.4", "An invalid submit leaves the form open and the call waiting."),
    "ending-late-open": Requirement("2.4", "A response from open after the end is ignored."),
    "ending-late-submit": Requirement("2.4", "A submit after the end finds no flow."),
    "ending-once": Requirement("2.4", "A flow ends exactly once: the first to end it wins."),
    "ending-nothing-left": Requirement("2.4", "Nothing of an ended flow is left: no listener, task or reference."),
    "ending-listener-raises": Requirement("2.4", "A listener that raises stops neither the emitter nor the others."),
    "ending-not-opened": Requirement("2.4", "A flow that ended before open would be called is never opened."),
    "ending-many": Requirement("2.4", "Many flows at once, also with one tool call id, each get their own answer."),
    "ending-close": Requirement("2", "aclose ends every flow as aborted and removes every listener."),
    "response-strict": Requirement("2.4", "An answer names only what the form offers, with the right types."),
    "response-one": Requirement("2.4", "A single or preview question takes one value or own text, not more."),
    "response-extra": Requirement("2.4", "Unknown extra keys of a response are ignored."),
    "response-blank": Requirement("2.4", "Blank text in a response counts as absent."),
    "response-presented": Requirement("2.4", "presentedTypes is checked, used for the check, and named in the result."),
}

CHANNEL = {
    "channel-started-first": Requirement(
        "2.5", "started comes after the flow is registered and before open is called."
    ),
    "channel-late-listener": Requirement("2.5", "A late listener finds the open flows in pending()."),
    "channel-one-result": Requirement("2.5", "Every submit gets exactly one submit-result."),
    "channel-bad-envelope": Requirement(
        "2.5", "A bad envelope is an invalid_request; ids that could be read are echoed."
    ),
    "channel-disposed": Requirement("2.5", "A started flow that ends without completed is disposed, once."),
    "channel-source": Requirement("2.5", "Events name their source, tool call and times."),
    "bus-order": Requirement(
        "2.5", "emit is synchronous, in order of subscription, over the listeners of that moment."
    ),
    "bus-coroutines": Requirement("2.5", "Coroutine listeners are scheduled."),
    "bus-nested": Requirement("2.5", "An emit from within a listener waits until the one under way is delivered."),
    "bus-negotiation": Requirement("2.5", "Negotiation works from within a listener."),
    "bus-threads": Requirement("2.5", "From another thread emit raises and names emit_threadsafe, which works."),
    "abort-once": Requirement("2.5", "A controller fires its signal once; the first reason stays."),
    "abort-listeners": Requirement("2.5", "Abort listeners are called once, late ones at once; they can unsubscribe."),
    "abort-waits": Requirement("2.5", "A signal can be awaited, raised, timed and combined."),
    "abort-holds-nothing": Requirement("2.5", "A signal holds nothing of a flow that has ended."),
}

RESULT = {
    "result-submit": Requirement("2.6", "submit: every question with a value, own text or a question note is there."),
    "result-elaborate": Requirement("2.6", "elaborate: only committed answers are there."),
    "result-option-notes": Requirement("2.6", "optionNotes holds the notes of chosen options only."),
    "result-from-form": Requirement(
        "2.4", "Labels and indices come from the form; own text comes last, without index."
    ),
    "result-continuation": Requirement("2.6", "The continuation parts affected, preserved and unanswered questions."),
    "result-items": Requirement("2.6", "An elaboration has an item a note, in the order of the form."),
    "result-text": Requirement("2.6", "The text has a line for every question and names what has no answer."),
    "text-visible": Requirement("safety", "Hidden and reordering characters are shown; plain text stays untouched."),
    "extension-loads": Requirement("2", "An extension is a file or a callable; a failure names file and line."),
    "core-imports": Requirement("2", "The core is imported without Qt, and every public name is there."),
}

RESIDENT = {
    "resident-same": Requirement("resident", "A form ends through the resident as it does without it."),
    "resident-client-gone": Requirement("resident", "A client that goes in any way closes its forms in a second."),
    "resident-gone": Requirement("resident", "A resident that ends is exit code 3 and never a cancellation."),
    "resident-hangs": Requirement("resident", "A resident that hangs is noticed."),
    "resident-nonsense": Requirement("resident", "Garbage, half a document and silence are answered with an error."),
    "resident-flood": Requirement("resident", "What is too long, too much or not read is bounded; others are served."),
    "resident-many": Requirement("resident", "200 clients in two seconds are all served, and nothing of them is left."),
    "resident-order": Requirement("resident", "Forms open in order of arrival."),
    "resident-place": Requirement("resident", "There is one resident; the socket of a dead one is taken over."),
    "resident-private": Requirement("resident", "Other users are refused; a place open to them is not used."),
    "resident-quick": Requirement("resident", "A client imports only plain modules and waits 50 ms for a greeting."),
    "resident-requester": Requirement("resident", "The person is told who asks."),
    "resident-confirm": Requirement("resident", "confirm prints the choice; only an explicit yes is exit code 0."),
    "resident-pending": Requirement("resident", "pending lists what waits; cancel ends it as the person's own cancel."),
    "tray-autostart": Requirement("resident", "The tray starts hidden with the desktop, if the person wants it to."),
    "tray-cards": Requirement("resident", "Every form has a card for as long as it waits, whoever's surface it is on."),
    "tray-quick": Requirement("resident", "A quick answer is exactly what was given for its form, and nothing else."),
    "tray-keys": Requirement("resident", "The panel is usable by keys alone, and what answers in it is guarded."),
    "tray-any-text": Requirement("resident", "Any text and any number of cards stay within the panel."),
    "tray-elsewhere": Requirement(
        "resident", "A form of another surface is answered from its card; ended elsewhere, its window goes with a word."
    ),
    "tray-real": Requirement("resident", "A real icon in a real tray, clicks and keys lead to a client's answer."),
    "tray-late": Requirement(
        "resident", "A tray that comes late, goes or comes back has the icon; without one the panel stands in for it."
    ),
    "tray-quit": Requirement("resident", "Quitting with forms waiting asks, and ends them as failures."),
    "resident-host": Requirement("resident", "host speaks the same protocol on standard input and output."),
}

CONFIG = {
    "config-place": Requirement("settings", "--config and PI_ASK_CONFIG name the file, else the user's folder has it."),
    "config-missing": Requirement("settings", "A missing file means defaults and is made by the first save."),
    "config-unusable": Requirement("settings", "A broken, future or unreadable file is left exactly as it is."),
    "config-wrong-value": Requirement("settings", "A wrong value is named with its place; all else counts."),
    "config-channels": Requirement("settings", "An invalid notification channel is skipped; the others count."),
    "config-key-names": Requirement("settings", "Every spelling of a key is one name."),
    "config-keymaps-checked": Requirement("settings", "Each action has a key, no digit, that means nothing else."),
    "config-bad-keymaps": Requirement("settings", "Invalid keymaps give way to the default keys; all else counts."),
    "config-one-setting": Requirement("settings", "One setting is changed by its place, or refused with the reason."),
    "config-atomic": Requirement("settings", "A save is all or nothing, also when it is killed; a link stays one."),
    "config-mode": Requirement("settings", "A save never widens the file's mode; a new file is the user's alone."),
    "config-read-only": Requirement("settings", "A read-only file or folder is refused and stays as it is."),
    "config-unknown-fields": Requirement("settings", "A save keeps fields that it does not know, and their order."),
    "config-merged": Requirement("settings", "A save keeps what somebody else has changed in the file meanwhile."),
    "config-heard": Requirement("settings", "A change of the file is seen, and every listener hears of the newest."),
    "config-command": Requirement("settings", "pi-ask config prints the place and what is in force, and checks it."),
}

NOTIFY = {
    "notify-once": Requirement("notifications", "A form is told once, and not at all where it ends within 100 ms."),
    "notify-withdrawn": Requirement("notifications", "A notification goes with its form, however that ends."),
    "notify-plain": Requirement(
        "notifications", "What a service is told is plain text that it cannot take for markup."
    ),
    "notify-click": Requirement("notifications", "A click opens the form, by the activation token of the click."),
    "notify-hidden": Requirement("notifications", "A setting keeps the form's text out of every channel."),
    "notify-quiet": Requirement("notifications", "Do not disturb: no notification, no sound, no command."),
    "notify-hangs": Requirement(
        "notifications", "A service or bus that hangs, fails, ends or is not there delays nothing; the tray tells."
    ),
    "notify-command": Requirement(
        "notifications", "A command ends after 5 s with all its children, and harms nothing."
    ),
    "notify-here": Requirement(
        "notifications",
        "Without a tray, a form is told unless a form's window has the keyboard; the window asks for it.",
    ),
    "activation-token": Requirement(
        "notifications", "A window comes forward by the token of who asks, once; no child of the program sees it."
    ),
}

DOORS = {
    "mcp-tools": Requirement(
        "doors", "The MCP server offers ask_user and confirm_action, with words that teach to ask."
    ),
    "mcp-same": Requirement("doors", "A form ends through MCP as it does through the core, with the same words."),
    "mcp-requester": Requirement("doors", "The person is told the name of the MCP client."),
    "mcp-invalid": Requirement("doors", "An invalid form is an error result with every issue."),
    "mcp-cancel": Requirement("doors", "A call that its client cancels closes its form; the server stays usable."),
    "mcp-gone": Requirement("doors", "A client that goes in any way closes its forms, and the server ends by itself."),
    "mcp-output": Requirement("doors", "Standard output carries the protocol only, whatever else is printed."),
    "mcp-progress": Requirement("doors", "A client that gave a token is told that the person is thinking."),
    "mcp-no-screen": Requirement("doors", "Without a screen the questions come back in words, as an error."),
    "mcp-find-screen": Requirement("doors", "A screen is found though the client passes none on."),
    "mcp-resident": Requirement(
        "doors", "The MCP server asks through the resident, and starts one where there is none."
    ),
    "mcp-confirm": Requirement("doors", "confirm_action is approved by an explicit choice alone."),
    "kit-approve": Requirement("doors", "A kit's tool call runs after an explicit Approve alone."),
    "kit-refuse": Requirement(
        "doors", "Denials, own words, cancels and requests to elaborate reach the agent as words."
    ),
    "kit-failure": Requirement("doors", "A surface that fails, or is not there, fails the run of the agent."),
    "kit-cancel": Requirement("doors", "An agent that goes away takes its form along."),
    "kit-lazy": Requirement("doors", "An adapter is imported without its kit, and the package without any."),
    "pi-bridge": Requirement(
        "doors", "The bridge takes Pi's forms to the desktop, and closes, rejects and ends with it."
    ),
    "schema": Requirement("doors", "The published schemas are those of the models and judge as the core does."),
}

TESTING = {
    "testing-driver": Requirement("testing", "A driver fills in a form by its widgets, as the scripted person does."),
    "testing-shown": Requirement("testing", "What is on the screen is told in words and as data."),
    "testing-errors": Requirement("testing", "What a person could not do fails, and says what is on the screen."),
    "testing-wait": Requirement("testing", "A form that the program under test asks is waited for, bounded."),
    "testing-scripts": Requirement("testing", "A script fills in every form; one that fails fails the test."),
    "testing-apart": Requirement("testing", "A desk neither reads nor writes what is the user's, and leaves nothing."),
    "testing-loops": Requirement("testing", "A desk works on any asyncio loop, and from tests that are no coroutines."),
    "testing-plugin": Requirement("testing", "The plugin is there by its entry point, beside other plugins."),
    "testing-lazy": Requirement("testing", "The plugin costs nothing where it is not used."),
    "testing-example": Requirement("testing", "The example's test suite passes as a project of its own."),
}

REQUIREMENTS: dict[str, Requirement] = {
    **FORM,
    **SURFACE,
    **ENDING,
    **CHANNEL,
    **RESULT,
    **RESIDENT,
    **CONFIG,
    **NOTIFY,
    **DOORS,
    **TESTING,
}


def proves(*ids: str) -> pytest.MarkDecorator:
    """Mark a test with the required behaviours that it proves."""
    return pytest.mark.proves(*ids)
