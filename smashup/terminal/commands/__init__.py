"""The subcommands of `smashup` other than `play`."""
