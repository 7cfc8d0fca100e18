/** The ways to play and their signs. */

import type { IconName } from "../../cards/art/icons";
import type { PlayMode } from "./table-form.svelte";

export const MODE_ICONS: Record<PlayMode, IconName> = { bots: "bot", friends: "friends", here: "here" };
