<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>pi_ask</name>
    <message>
      <source>Type your own</source>
      <translation>Eigene Antwort</translation>
    </message>
    <message>
      <source>Review</source>
      <translation>Übersicht</translation>
    </message>
    <message>
      <source>recommended</source>
      <translation>empfohlen</translation>
    </message>
    <message>
      <source>no answer</source>
      <translation>keine Antwort</translation>
    </message>
    <message>
      <source>answered</source>
      <translation>beantwortet</translation>
    </message>
    <message>
      <source>not answered</source>
      <translation>nicht beantwortet</translation>
    </message>
    <message>
      <source>Submit</source>
      <translation>Absenden</translation>
    </message>
    <message>
      <source>Elaborate…</source>
      <translation>Erst erklären …</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Wrap lines</source>
      <translation>Zeilen umbrechen</translation>
    </message>
    <message>
      <source>Search the preview. Enter finds the next, Esc closes.</source>
      <translation>In der Vorschau suchen. Enter findet die nächste Stelle, Esc schließt.</translation>
    </message>
    <message>
      <source>not found</source>
      <translation>nicht gefunden</translation>
    </message>
    <message>
      <source>Filter the options</source>
      <translation>Optionen filtern</translation>
    </message>
    <message>
      <source>Your own words. Enter takes them, Shift+Enter starts a new line.</source>
      <translation>Eigene Worte. Enter übernimmt sie, Umschalt+Enter beginnt eine neue Zeile.</translation>
    </message>
    <message>
      <source>A note about this question. Enter keeps it.</source>
      <translation>Eine Notiz zu dieser Frage. Enter behält sie.</translation>
    </message>
    <message>
      <source>A note about this option. Enter keeps it.</source>
      <translation>Eine Notiz zu dieser Option. Enter behält sie.</translation>
    </message>
    <message>
      <source>Cut here. Enter or a click shows all of it.</source>
      <translation>Hier gekürzt. Enter oder ein Klick zeigt alles.</translation>
    </message>
    <message>
      <source>Enter or a click cuts it again.</source>
      <translation>Enter oder ein Klick kürzt es wieder.</translation>
    </message>
    <message>
      <source>Remove this picture</source>
      <translation>Dieses Bild entfernen</translation>
    </message>
    <message>
      <source>Add a note to this question</source>
      <translation>Notiz zu dieser Frage hinzufügen</translation>
    </message>
    <message>
      <source>There is no preview of your own words.</source>
      <translation>Für eigene Worte gibt es keine Vorschau.</translation>
    </message>
    <message>
      <source>Leaving now discards what you chose or wrote. Do the same again to leave.</source>
      <translation>Damit ginge verloren, was Sie gewählt oder geschrieben haben. Noch einmal dasselbe, um zu gehen.</translation>
    </message>
    <message>
      <source>Changing the type gives up your choices. Do the same again to change it.</source>
      <translation>Mit der Art der Frage gehen Ihre Antworten verloren. Noch einmal dasselbe, um sie zu ändern.</translation>
    </message>
    <message>
      <source>Press 1 again to submit.</source>
      <translation>Noch einmal 1, um abzusenden.</translation>
    </message>
    <message>
      <source>Press 2 again to ask for an explanation first.</source>
      <translation>Noch einmal 2, um erst eine Erklärung zu verlangen.</translation>
    </message>
    <message>
      <source>Press 3 again to cancel without an answer.</source>
      <translation>Noch einmal 3, um ohne Antwort abzubrechen.</translation>
    </message>
    <message>
      <source>Question waiting</source>
      <translation>Eine Frage wartet</translation>
    </message>
    <message>
      <source>A question for you</source>
      <translation>Eine Frage an Sie</translation>
    </message>
    <message>
      <source>asked just now</source>
      <translation>eben gefragt</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Colours</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>Keys and everything else are in this file:</source>
      <translation>Tasten und alles Übrige stehen in dieser Datei:</translation>
    </message>
    <message>
      <source>Reset everything</source>
      <translation>Alles zurücksetzen</translation>
    </message>
    <message>
      <source>Reset everything: press again</source>
      <translation>Alles zurücksetzen: noch einmal drücken</translation>
    </message>
    <message>
      <source>All settings and keys go back to their defaults. Press again to do it.</source>
      <translation>Alle Einstellungen und Tasten werden auf ihre Vorgaben zurückgesetzt. Noch einmal drücken, um es zu tun.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Cancel: press again</source>
      <translation>Abbrechen: noch einmal</translation>
    </message>
    <message>
      <source>Do not disturb</source>
      <translation>Nicht stören</translation>
    </message>
    <message>
      <source>Nothing is waiting.</source>
      <translation>Nichts wartet.</translation>
    </message>
    <message>
      <source>This desktop has no tray; this window stands in for it.</source>
      <translation>Dieser Desktop hat keinen Infobereich; dieses Fenster vertritt ihn.</translation>
    </message>
    <message>
      <source>Show what is waiting</source>
      <translation>Zeigen, was wartet</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Quit anyway</source>
      <translation>Trotzdem beenden</translation>
    </message>
    <message>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
    <message>
      <source>Forms are waiting; they would end as failed. Quit again to do it.</source>
      <translation>Formulare warten; sie würden als gescheitert enden. Noch einmal beenden, um es zu tun.</translation>
    </message>
    <message>
      <source>choose</source>
      <translation>wählen</translation>
    </message>
    <message>
      <source>toggle</source>
      <translation>umschalten</translation>
    </message>
    <message>
      <source>next</source>
      <translation>weiter</translation>
    </message>
    <message>
      <source>choose, next</source>
      <translation>wählen, weiter</translation>
    </message>
    <message>
      <source>submit</source>
      <translation>absenden</translation>
    </message>
    <message>
      <source>choose, submit</source>
      <translation>wählen, absenden</translation>
    </message>
    <message>
      <source>note</source>
      <translation>Notiz</translation>
    </message>
    <message>
      <source>question note</source>
      <translation>Notiz zur Frage</translation>
    </message>
    <message>
      <source>one answer</source>
      <translation>eine Antwort</translation>
    </message>
    <message>
      <source>several answers</source>
      <translation>mehrere Antworten</translation>
    </message>
    <message>
      <source>search</source>
      <translation>suchen</translation>
    </message>
    <message>
      <source>filter</source>
      <translation>filtern</translation>
    </message>
    <message>
      <source>settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>cancel</source>
      <translation>abbrechen</translation>
    </message>
    <message>
      <source>elaborate</source>
      <translation>erst erklären</translation>
    </message>
    <message>
      <source>cancel, pressed twice</source>
      <translation>abbrechen, je zweimal</translation>
    </message>
    <message>
      <source>back</source>
      <translation>zurück</translation>
    </message>
    <message>
      <source>take it</source>
      <translation>übernehmen</translation>
    </message>
    <message>
      <source>keep the note</source>
      <translation>Notiz behalten</translation>
    </message>
    <message>
      <source>new line</source>
      <translation>neue Zeile</translation>
    </message>
    <message>
      <source>close, keep it</source>
      <translation>schließen, Text bleibt</translation>
    </message>
    <message>
      <source>Submit by itself when everything is answered, without notes</source>
      <translation>Von selbst absenden, wenn alles beantwortet ist und keine Notizen da sind</translation>
    </message>
    <message>
      <source>Ask before leaving discards something</source>
      <translation>Nachfragen, bevor etwas verloren geht</translation>
    </message>
    <message>
      <source>On Review, 1, 2 and 3 are pressed twice</source>
      <translation>In der Übersicht 1, 2 und 3 zweimal drücken</translation>
    </message>
    <message>
      <source>Let single questions take several answers (from the next form on)</source>
      <translation>Bei einfachen Fragen mehrere Antworten zulassen (ab dem nächsten Formular)</translation>
    </message>
    <message>
      <source>Show the keys at the foot of the window</source>
      <translation>Tasten am Fuß des Fensters zeigen</translation>
    </message>
    <message>
      <source>Tell me about forms that wait</source>
      <translation>Auf wartende Formulare hinweisen</translation>
    </message>
    <message>
      <source>Say in notifications what is asked, not only by whom</source>
      <translation>In Benachrichtigungen sagen, was gefragt wird, nicht nur, wer fragt</translation>
    </message>
    <message>
      <source>Keep windows above all others</source>
      <translation>Fenster über allen anderen halten</translation>
    </message>
    <message>
      <source>as the desktop</source>
      <translation>wie der Desktop</translation>
    </message>
    <message>
      <source>light</source>
      <translation>hell</translation>
    </message>
    <message>
      <source>dark</source>
      <translation>dunkel</translation>
    </message>
    <message>
      <source>asked {time} ago</source>
      <translation>vor {time} gefragt</translation>
    </message>
    <message>
      <source>{name} asks</source>
      <translation>{name} fragt</translation>
    </message>
    <message>
      <source>{who}: {what}</source>
      <translation>{who}: {what}</translation>
    </message>
    <message>
      <source>{number} of {count}</source>
      <translation>{number} von {count}</translation>
    </message>
    <message>
      <source>“{text}”</source>
      <translation>„{text}“</translation>
    </message>
    <message>
      <source>{label}: {note}</source>
      <translation>{label}: {note}</translation>
    </message>
    <message>
      <source>“{title}” was answered elsewhere.</source>
      <translation>„{title}“ wurde anderswo beantwortet.</translation>
    </message>
    <message>
      <source>“{title}” has ended elsewhere.</source>
      <translation>„{title}“ wurde anderswo beendet.</translation>
    </message>
    <message numerus="yes">
      <source>%n more waiting</source>
      <translation>
        <numerusform>%n weiteres wartet</numerusform>
        <numerusform>%n weitere warten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n question(s) need an answer: {labels}. Submit again to send the form without.</source>
      <translation>
        <numerusform>{labels} braucht eine Antwort. Noch einmal absenden, um das Formular ohne sie zu senden.</numerusform>
        <numerusform>{labels} brauchen eine Antwort. Noch einmal absenden, um das Formular ohne sie zu senden.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n question(s) have no answer: {labels}. Submit sends the others as they are.</source>
      <translation>
        <numerusform>{labels} hat keine Antwort. Absenden sendet die anderen, wie sie sind.</numerusform>
        <numerusform>{labels} haben keine Antwort. Absenden sendet die anderen, wie sie sind.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{notice} And %n more: pi-ask config check</source>
      <translation>
        <numerusform>{notice} Und %n weiterer Hinweis: pi-ask config check</numerusform>
        <numerusform>{notice} Und %n weitere Hinweise: pi-ask config check</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n waiting</source>
      <translation>
        <numerusform>%n wartet</numerusform>
        <numerusform>%n warten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n s</source>
      <translation>
        <numerusform>%n s</numerusform>
        <numerusform>%n s</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n min</source>
      <translation>
        <numerusform>%n min</numerusform>
        <numerusform>%n min</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n h</source>
      <translation>
        <numerusform>%n h</numerusform>
        <numerusform>%n h</numerusform>
      </translation>
    </message>
  </context>
</TS>
