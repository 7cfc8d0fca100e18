// Written by `make types` from smashup/server/live/protocol.py and http/schemas.py; edit those.

/** The version of the messages. */
export const PROTOCOL = 2;

/** A message was heard and obeyed; an answer is on disk. */
export interface Ack {
  type: "ack";
  id: string;
  number: number | null;
}

/** What a person says to somebody's wish to take a choice back, or who takes back the wish. */
export interface Agree {
  id: string;
  type: "agree";
  wish: number;
  yes: boolean;
}

/** The analysis of a finished game, as far as it is. */
export interface AnalysisProgress {
  done: number;
  total: number;
  report: GameReport | null;
}

/** What a seat chooses. Several picks of one choice may be sent together: all or none. */
export interface Answer {
  id: string;
  type: "answer";
  number: number;
  options: number[];
  done?: boolean;
}

/** What would one option bring about? Nothing is chosen by asking. */
export interface Ask {
  id: string;
  type: "preview";
  number: number;
  option: number;
}

/** What would a strong bot choose here? Only where everybody else is a bot. */
export interface AskHint {
  id: string;
  type: "hint";
  number: number;
}

/** A base as it would be. */
export interface BaseAfter {
  serial: number;
  breakpoint: number;
  total: number;
  totals: number[];
  places: Standing[];
}

/** The changed fields of a base, or all of a new one. */
export interface BasePatch {
  hidden?: boolean;
  id?: number;
  name?: string;
  type?: string;
  text?: string;
  owner?: number | null;
  printed_power?: number;
  printed_breakpoint?: number;
  vp?: number[];
  tokens?: number;
  serial: number;
  breakpoint?: number;
  total?: number;
  totals?: number[];
  places?: Standing[];
  counters?: number;
  cards?: (number | CardPatch)[];
  breakpoint_parts?: Part[];
  side_power?: SidePower[];
  removed?: string[];
}

/** A base in play and all cards there. */
export interface BaseView {
  hidden?: boolean;
  id?: number;
  name?: string;
  type?: string;
  text?: string;
  owner?: number | null;
  printed_power?: number;
  printed_breakpoint?: number;
  vp?: number[];
  tokens?: number;
  serial: number;
  breakpoint: number;
  total: number;
  totals: number[];
  places: Standing[];
  counters: number;
  cards: InPlay[];
  breakpoint_parts: Part[];
  side_power: SidePower[];
}

/** Play on from a step of a finished game, against bots. */
export interface BranchForm {
  step: number;
  seat: number;
  level?: "easy" | "normal" | "hard" | "expert";
  shuffle?: boolean;
  name?: string;
  lang?: "en" | "fr";
}

/** A card, base or titan as printed. */
export interface CardInfo {
  name: string;
  type: string;
  text: string;
  keywords: ("talent" | "special" | "ongoing" | "counters" | "extra")[];
  copies: number;
  power: number;
  on: string;
  breakpoint: number;
  vp: number[];
  optional: boolean;
  special: boolean;
  icon: string;
}

/** The changed fields of a card in play, or all of one that the last view did not show. */
export interface CardPatch {
  hidden?: boolean;
  id?: number;
  name?: string;
  type?: string;
  text?: string;
  owner?: number | null;
  printed_power?: number;
  printed_breakpoint?: number;
  vp?: number[];
  tokens?: number;
  controller?: number;
  buried?: boolean;
  power?: number;
  power_parts?: Part[];
  withheld?: boolean;
  cancelled?: boolean;
  counters?: number;
  actions?: (number | CardPatch)[];
  removed?: string[];
}

/** All cards of a printing. */
export interface Cards {
  printing: string;
  decks: Deck[];
}

/** Say something to the table: own words, or a phrase that everybody reads in their language. */
export interface Chat {
  id: string;
  type: "chat";
  text?: string;
  phrase?: "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "oops" | "nice_card" | "ouch" | "your_turn" | "one_moment" | "good_game" | "again" | null;
}

/** Something to choose by its name: a printing, the level of a bot. */
export interface Choice {
  name: string;
  about: Sentence;
}

/** Whose time is running where turns have a limit. */
export interface Clock {
  seat: number;
  ends: number;
}

/** The pending choice (`DecisionView`), with cards by id. */
export interface DecisionPatch {
  player: number | null;
  window?: boolean;
  purpose?: Purpose;
  kind?: string;
  question?: Sentence;
  source?: number | null;
  subjects?: number[];
  reason?: Reason;
  options?: OptionPatch[];
  picked?: number;
  min?: number;
  max?: number;
  ordered?: boolean;
}

/** The pending decision. Only the player who decides sees what it is about. */
export interface DecisionView {
  player: number | null;
  window?: boolean;
  purpose?: Purpose;
  kind?: string;
  question?: Sentence;
  source?: Face;
  subjects?: number[];
  reason?: Reason;
  options?: OptionView[];
  picked?: number;
  min?: number;
  max?: number;
  ordered?: boolean;
}

/** The cards of a faction. */
export interface Deck {
  faction: string;
  cards: CardInfo[];
  bases: CardInfo[];
  titans: CardInfo[];
}

/** A rulebook to play by. */
export interface EditionInfo {
  key: string;
  title: string;
  year: number;
  about: Sentence;
}

/** One visible step of what happened, in order; log lines describe the same in words. */
export interface EventView {
  kind: "played" | "moved" | "destroyed" | "returned" | "discarded" | "drawn" | "revealed" | "looked_at" | "placed" | "transferred" | "buried" | "base_played" | "base_left" | "shuffled" | "reshuffled" | "counters" | "power" | "control" | "talent" | "vp" | "scoring" | "scored" | "turn" | "over";
  cards?: Face[];
  origin?: Place;
  to?: Place;
  player?: number;
  base?: number;
  amount?: number;
  by?: number;
  cause?: NamedCard;
  places?: Standing[];
}

/** A card; one that the viewer may not see has only the field ``hidden``. */
export interface Face {
  hidden?: boolean;
  id?: number;
  name?: string;
  type?: string;
  text?: string;
  owner?: number | null;
  printed_power?: number;
  printed_breakpoint?: number;
  vp?: number[];
  tokens?: number;
}

/** A faction to choose. */
export interface FactionInfo {
  name: string;
  set_name: string;
  blurb: string;
  colors: string[];
  icon: string;
}

export type FromClient = Hello | Answer | Ask | Undo | Agree | Chat | AskHint | Resync | Ping;

export type FromServer = Snapshot | Update | Ack | Preview | Hint | Refusal;

/** The analysis of a game as plain data. */
export interface GameReport {
  version: number;
  iterations: number;
  players: PlayerReport[];
  reviews: Review[];
  turning_points: TurningPoint[];
}

/** The first message: who this is, and what it has seen already. */
export interface Hello {
  id: string;
  type: "hello";
  protocol?: number;
  secret?: string | null;
  stream?: string | null;
  version?: number | null;
  lang?: "en" | "fr" | null;
}

/** What a strong bot would choose, knowing what the seat knows. */
export interface Hint {
  type: "hint";
  id: string;
  number: number;
  option: number;
  opinions: Opinion[];
}

/** A card at a base or on another card. */
export interface InPlay {
  hidden?: boolean;
  id?: number;
  name?: string;
  type?: string;
  text?: string;
  owner?: number | null;
  printed_power?: number;
  printed_breakpoint?: number;
  vp?: number[];
  tokens?: number;
  controller: number;
  buried?: boolean;
  power?: number;
  power_parts?: Part[];
  withheld?: boolean;
  cancelled?: boolean;
  counters?: number;
  actions?: InPlay[];
}

/** Somebody who sits down. */
export interface JoinForm {
  seat?: number | null;
  name?: string;
  lang?: "en" | "fr";
  factions?: string[];
}

/** A known card of a deck, and its depth. */
export interface Known {
  from_top: number;
  card: Face;
}

/** A card of a deck that has been seen, and how deep it lies. */
export interface KnownPatch {
  from_top: number;
  card: number | null;
}

/** A table on which the first game is taught. */
export interface Lesson {
  table: TableInfo;
  seats: SeatTaken[];
}

/** An option that the coach advises, described by what it refers to, with card names. */
export interface LessonAdvice {
  id: string;
  verb?: string | null;
  card?: string | null;
  host?: string | null;
  base?: string | null;
  extra?: boolean;
  mode?: number | null;
  by?: string | null;
}

/** A choice in a better line. */
export interface LineStep {
  player: number;
  question: Sentence;
  label: Sentence;
}

/** The tables that are shown to everybody. */
export interface Lobby {
  tables: TableInfo[];
}

/** A line of the log. */
export interface LogLineView {
  number: number;
  event: string;
  message: Sentence;
}

/** What tables can be made of. */
export interface Meta {
  version: string;
  languages: string[];
  factions: FactionInfo[];
  editions: EditionInfo[];
  default_edition: string;
  printings: Choice[];
  levels: Choice[];
  beat: number;
}

/** A card by its number on this table and its name. */
export interface NamedCard {
  id: number;
  name: string;
}

/** What a bot thinks of an option. */
export interface Opinion {
  option: number;
  chance: number;
  visits: number;
}

/** One of the options of a decision (`Option`), with its card by id. */
export interface OptionPatch {
  index: number;
  label: Sentence;
  declines?: boolean;
  verb?: string;
  card?: number | null;
  host?: number;
  base?: number;
  extra?: boolean;
  player?: number;
  mode?: number;
  faction?: string;
}

/** One of the options of a decision. */
export interface OptionView {
  index: number;
  label: Sentence;
  declines?: boolean;
  verb?: string;
  card?: Face;
  host?: number;
  base?: number;
  extra?: boolean;
  player?: number;
  mode?: number;
  faction?: string;
}

/** One contribution to a number. */
export interface Part {
  label: Sentence;
  amount: number;
  source: number | null;
}

/** A language: English texts and what stands for them. */
export interface Phrases {
  lang: string;
  phrases: Record<string, string>;
}

/** Is anybody there? */
export interface Ping {
  id: string;
  type: "ping";
}

/** Where a card is or was. */
export interface Place {
  zone: "deck" | "hand" | "discard" | "base" | "card" | "aside" | "limbo" | "base_deck" | "base_discard" | "middle" | "buried" | "madness_deck" | "box";
  player?: number;
  base?: number;
  host?: number;
}

/** The changed fields of a player. */
export interface PlayerPatch {
  index: number;
  vp?: number;
  factions?: string[];
  hand?: (number | null)[];
  hand_size?: number;
  deck_size?: number;
  deck_known?: KnownPatch[];
  discard?: (number | null)[];
  aside?: (number | null)[];
}

/** How well one player chose. */
export interface PlayerReport {
  player: number;
  decisions: number;
  accuracy: number;
  verdicts: Record<string, number>;
}

/** The public cards and numbers of a player, and what the viewer knows of the rest. */
export interface PlayerView {
  index: number;
  vp: number;
  factions: string[];
  hand: Face[];
  hand_size: number;
  deck_size: number;
  deck_known: Known[];
  discard: Face[];
  aside: Face[];
}

/** A number of plays that the current player still has this turn. */
export interface Plays {
  kind: "minion" | "action" | "card" | "titan";
  count: number;
  normal: boolean;
  source: number | null;
  notes: Sentence[];
}

/** What an option would bring about, for the seat that decides and asked. */
export interface Preview {
  complete: boolean;
  bases: BaseAfter[] | null;
  vp: number[] | null;
  type: "preview";
  id: string;
  number: number;
  option: number;
}

/** Why something was not done, in a sentence. */
export interface Problem {
  reason: Sentence;
}

/** The stable id of what a decision is for, independent of its English prompt. */
export type Purpose = "play_menu" | "special_window" | "extra_play" | "titan_play" | "target" | "choose" | "choose_base" | "choose_player" | "mode" | "may_mode" | "may" | "discard" | "search" | "search_piles" | "may_search" | "move_to" | "order_on_top" | "order_on_bottom" | "top_or_bottom" | "draft" | "mulligan" | "uncover" | "order_triggers" | "order_scoring" | "order_replacements" | "starting_breakpoint" | "next_base" | "titan_limit" | "which_titan" | "name_faction";

/** Why a card, or the rules, ask now: the event the asking card reacts to. */
export interface Reason {
  kind: "start_of_turn" | "end_of_turn" | "card_played" | "card_moved" | "card_left" | "card_destroyed" | "card_returned" | "cards_discarded" | "talent_used" | "control_changed" | "base_played" | "before_scoring" | "scoring" | "after_scoring" | "base_replaced";
  card?: NamedCard;
  player?: number;
  base?: number;
}

/** A message was not obeyed, and nothing has changed. */
export interface Refusal {
  type: "refused";
  id: string | null;
  reason: Sentence;
  stale: boolean;
  number: number | null;
  decision: DecisionView | null;
  outdated: boolean;
}

/** A bot for the seat of somebody who is gone. */
export interface ReplaceForm {
  level?: "easy" | "normal" | "hard" | "expert";
}

/** Something that who runs the server should know. */
export interface ReportForm {
  kind: "bug" | "chat";
  text?: string;
  said?: number | null;
}

/** A report was taken. */
export interface Reported {
  id: string;
  scenario: string;
}

/** Ask for a snapshot: what the client has does not match the checksum of an update. */
export interface Resync {
  id: string;
  type: "resync";
}

/** What the search thinks of one decision of a game. */
export interface Review {
  number: number;
  turn: number;
  player: number;
  question: Sentence;
  played: number;
  played_label: Sentence;
  best: number;
  best_label: Sentence;
  chance: number;
  loss: number;
  stake: number;
  verdict: Verdict;
}

/** A rule, in the words of the reference: a text with a little markup (`smashup.rules`). */
export interface Rule {
  id: string;
  title: string;
  text: string;
  example: string;
  editions: Record<string, string>;
  terms: string[];
  see: string[];
}

/** Rules that belong together. */
export interface RuleChapter {
  id: string;
  title: string;
  rules: Rule[];
}

/** The reference in a language, and which rules are behind decisions and lines of the log. */
export interface Rulebook {
  lang: string;
  chapters: RuleChapter[];
  purposes: Record<string, string[]>;
  cards: Record<string, Record<string, string[]>>;
  events: Record<string, string[]>;
  otherwise: string[];
}

/** A case about a card that the tests of the rules settle, in English. */
export interface Ruling {
  id: string;
  title: string;
}

/** Settled cases, by the names of the cards they are about. */
export interface Rulings {
  cards: Record<string, Ruling[]>;
}

/** A seat of a new table. */
export interface SeatForm {
  kind: "me" | "open" | "bot";
  level?: string;
  name?: string;
  factions?: string[];
}

/** A seat as everybody may know it. */
export interface SeatInfo {
  number: number;
  kind: "person" | "bot" | "open";
  level: string;
  name: string;
  factions: string[];
  ready: boolean;
  here: boolean;
  left: boolean;
  resigned: boolean;
  votes: number[];
}

/** What the owner of a seat may change at any time; what is left out stays. */
export interface SeatSettings {
  name?: string | null;
  lang?: "en" | "fr" | null;
  windows?: "ask" | "pass" | "card" | "always" | null;
  cards?: string[] | null;
}

/** A seat and its secret. The secret is told this once. */
export interface SeatTaken {
  seat: number;
  secret: string;
}

/** A table at which somebody has just sat down. */
export interface Seated {
  table: TableInfo;
  seats: SeatTaken[];
}

/** A message: English text with placeholders, their values, and the complete sentence. */
export interface Sentence {
  text: string;
  args: Record<string, unknown>;
  english: string;
  said?: string;
}

/** Power of a player at a base that no card there shows as its own. */
export interface SidePower {
  player: number;
  parts: Part[];
}

/** Everything as it is now: the answer to a hello without a usable version, or to a resync. */
export interface Snapshot {
  table: TableInfo;
  view: View | null;
  number: number | null;
  wishes: Wishes | null;
  clock: Clock | null;
  undo: Wish | null;
  can_undo: boolean;
  hints: boolean;
  chances: number[] | null;
  version: number;
  lines: LogLineView[];
  rewound: number | null;
  chat: Spoken[];
  now: number;
  type: "snapshot";
  stream: string;
  seat: number | null;
}

/** Something said at the table. */
export interface Spoken {
  number: number;
  seat: number;
  at: number;
  text: string;
  phrase: string;
}

/** The VP a player would get if the base scored now. */
export interface Standing {
  player: number;
  place: number;
  vp: number;
  power?: number;
}

/** A table as it is now. */
export interface TableAnswer {
  table: TableInfo;
}

/** A new table. */
export interface TableForm {
  seats: SeatForm[];
  mode?: "random" | "choose" | "draft";
  edition?: "SB" | "CD" | "BIJ" | "II" | "CS";
  printing?: "printed" | "current";
  optional_titans?: boolean;
  madness?: boolean;
  listed?: boolean;
  spectators?: boolean;
  clock?: 0 | 60 | 120 | 300 | 900 | 86400 | 259200 | 604800;
  undo?: boolean;
  chat?: boolean;
  lang?: "en" | "fr";
}

/** A table as everybody with its link may know it. */
export interface TableInfo {
  id: string;
  state: "open" | "playing" | "over";
  listed: boolean;
  spectators: boolean;
  players: number;
  mode: string;
  edition: string;
  printing: string;
  optional_titans: boolean;
  madness: boolean;
  clock: number;
  undo: boolean;
  chat: boolean;
  created: number;
  seats: SeatInfo[];
  winners: number[];
  rematch: string;
  replay: boolean;
  notice: Sentence | null;
}

/** A decision that gave away much, and what could have been done instead. */
export interface TurningPoint {
  review: Review;
  line: LineStep[];
}

/** Somebody who wants to be taught. */
export interface TutorialForm {
  name?: string;
  lang?: "en" | "fr";
}

/** How the first game is meant to go: what the learner is advised to choose, turn by turn. */
export interface TutorialPlan {
  advice: Record<string, LessonAdvice[]>;
}

/** Take back one's own last choice. Where other people play, they have to agree. */
export interface Undo {
  id: string;
  type: "undo";
  number: number;
}

/** What is new since the version before. */
export interface Update {
  table?: TableInfo;
  view?: View | null;
  patch?: ViewPatch;
  number?: number | null;
  wishes?: Wishes | null;
  clock?: Clock | null;
  undo?: Wish | null;
  can_undo?: boolean;
  hints?: boolean;
  chances?: number[] | null;
  version: number;
  lines: LogLineView[];
  rewound: number | null;
  chat: Spoken[];
  now: number;
  type: "update";
  changes: EventView[];
  checksum?: number;
}

/** How good a choice was, by the probability to win that it gave away. */
export type Verdict = "good" | "inaccuracy" | "mistake" | "blunder";

/** The table as one seat, or a spectator, may see it (`smashup.engine.views.view`). */
export interface View {
  you: number | null;
  edition: string;
  printing: string;
  turn: number;
  current: number;
  first: number;
  phase: string;
  scoring: number | null;
  players: PlayerView[];
  bases: BaseView[];
  base_deck_size: number;
  base_deck_known: Known[];
  base_discard: Face[];
  madness_size: number;
  limbo: Face[];
  permissions: number;
  plays: Plays[];
  decision: DecisionView | null;
  over: boolean;
  winners: number[];
}

/** The changed fields of a view (`smashup.server.live.view_patch`). */
export interface ViewPatch {
  faces?: Face[];
  you?: number | null;
  edition?: string;
  printing?: string;
  turn?: number;
  current?: number;
  first?: number;
  phase?: string;
  scoring?: number | null;
  players?: PlayerPatch[];
  bases?: (number | BasePatch)[];
  base_deck_size?: number;
  base_deck_known?: KnownPatch[];
  base_discard?: (number | null)[];
  madness_size?: number;
  limbo?: (number | null)[];
  permissions?: number;
  plays?: Plays[];
  decision?: DecisionPatch | null;
  over?: boolean;
  winners?: number[];
}

/** Somebody wants to take a choice back, and the other people are asked. */
export interface Wish {
  number: number;
  seat: number;
  agreed: number[];
}

/** What is remembered for the owner of a seat, and told to nobody else. */
export interface Wishes {
  lang: string;
  windows: "ask" | "pass" | "card" | "always";
  cards: string[];
}
