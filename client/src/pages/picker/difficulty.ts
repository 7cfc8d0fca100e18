/** How hard a faction is to play well, and why. Judged by its cards: how many choices, how long a plan, whose turn. */

import { lazyText, t } from "../../lib/i18n.svelte";
import type { Sentence } from "../../protocol";

export type Rating = "easy" | "medium" | "hard";

export interface Difficulty {
    rating: Rating;
    why: Sentence;
}

const easy = (why: Sentence): Difficulty => ({ rating: "easy", why });
const medium = (why: Sentence): Difficulty => ({ rating: "medium", why });
const hard = (why: Sentence): Difficulty => ({ rating: "hard", why });

const known = new Map<string, Difficulty>([
    ["Cyborg Apes", easy(lazyText("One plan that always works: pile actions on one big ape."))],
    ["Changerbots", easy(lazyText("The same few talents every turn, each with a price you can see."))],
    ["Mounties", easy(lazyText("Go where the crowd is. Few words, and every card adds power."))],
    [
        "Musketeers",
        easy(lazyText("Play action after action on your heroes; nearly all of them help at once.")),
    ],
    ["Sumo Wrestlers", easy(lazyText("Counters that stay and pushes that are plain to see."))],
    ["Kaiju", easy(lazyText("Three minions in all: drop actions on a base and watch it go."))],
    ["Time Travelers", medium(lazyText("Strong only if you know which card is worth playing twice."))],
    ["Astroknights", medium(lazyText("Simple cards, but eighteen different ones to know."))],
    [
        "Star Roamers",
        medium(lazyText("Minions come and go all the time, and you have to plan the way back.")),
    ],
    ["Itty Critters", medium(lazyText("Each turn you search the deck for the one critter that fits."))],
    ["Mega Troopers", medium(lazyText("Much of the power appears only in the moment before a base scores."))],
    [
        "Magical Girls",
        medium(lazyText("Everything counts your minions at one base, so the order of plays matters.")),
    ],
    ["Luchadors", medium(lazyText("Blows in two steps: set a rival's minion up first, strike later."))],
    [
        "Ancient Incas",
        medium(lazyText("Buildings that pay back slowly; you choose early which base they stand on.")),
    ],
    ["Grimms' Fairy Tales", medium(lazyText("Eighteen different cards, and each waits for its partner."))],
    [
        "Polynesian Voyagers",
        medium(lazyText("Spread out and settle alone, while the number of bases keeps changing.")),
    ],
    ["Shapeshifters", hard(lazyText("You have to know your deck and copy what the others do best."))],
    ["Super Spies", hard(lazyText("Little power of its own: it lives on knowing decks and on timing."))],
    ["Ignobles", hard(lazyText("You give your minions away, and have to know when to call them home."))],
    [
        "Anansi Tales",
        hard(lazyText("Your cards go to the others' hands; the gain comes when they use them.")),
    ],
    [
        "Russian Fairy Tales",
        hard(lazyText("Minions turn into whatever the deck brings, yours and theirs alike.")),
    ],
    ["Robots", easy(lazyText("Play a minion, then another: the cards do the rest."))],
    ["Zombies", medium(lazyText("You plan with two hands: the cards you hold and those you discarded."))],
    ["Wizards", medium(lazyText("Long turns of many actions, with little power to show for them."))],
    ["Pirates", medium(lazyText("Everything moves, and the best moment is just before a base scores."))],
    [
        "Elder Things",
        medium(lazyText("Offers that others may refuse: either way you have to know what you want.")),
    ],
    ["Innsmouth", easy(lazyText("Half the deck is the same minion, and every card wants more of it."))],
    [
        "Minions of Cthulhu",
        hard(lazyText("Everything good costs Madness, and you must still win once it is counted.")),
    ],
    [
        "Miskatonic University",
        hard(lazyText("You draw Madness on purpose, and have to be rid of it in time.")),
    ],
    ["Aliens", easy(lazyText("Send their minions home, and replay your own for points."))],
    ["Dinosaurs", easy(lazyText("Big numbers on big lizards: put them where the points are."))],
    ["Bear Cavalry", medium(lazyText("Moving others is easy; moving them where it hurts takes a plan."))],
    [
        "Ghosts",
        hard(lazyText("Your hand has to be nearly empty at the right moment, and full again after it.")),
    ],
    ["Killer Plants", easy(lazyText("What you plant this turn pays at the start of the next."))],
    ["Steampunks", easy(lazyText("Actions on bases stay and help; you hardly ever lose one for good."))],
    ["Tricksters", medium(lazyText("Traps on bases: you have to guess where the others want to go next."))],
    ["Ninjas", medium(lazyText("Hold back: much of your hand is for the moment before a base scores."))],
]);

/** Nothing is known of factions from elsewhere. */
export function difficultyOf(faction: string): Difficulty | null {
    return known.get(faction) ?? null;
}

export function ratingLabel(rating: Rating): string {
    if (rating === "easy") return t("Easy to play");
    if (rating === "medium") return t("Needs some planning");
    return t("For experts");
}

/** One to three, for the pips. */
export function ratingNumber(rating: Rating): number {
    return { easy: 1, medium: 2, hard: 3 }[rating];
}
