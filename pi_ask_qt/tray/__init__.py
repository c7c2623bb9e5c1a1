"""The tray: an icon with the number of waiting forms, and a panel with a card for each."""
