/** The ways to play and their signs. */

import type { IconName } from "../../cards/icons";
import type { Kind } from "./plan.svelte";

export const WAY_ICONS: Record<Kind, IconName> = { bots: "bot", friends: "friends", here: "here" };
