// Written by `make types` from smashup/server/live/protocol.py and http/schemas.py; edit those.

/** The version of the messages. */
export const PROTOCOL = 2;

/** A message was processed. An acknowledged answer is committed. */
export interface Ack {
  type: "ack";
  id: string;
  number: number | null;
}

/** The progress and result of the analysis of a finished game. */
export interface AnalysisProgress {
  done: number;
  total: number;
  report: GameReport | null;
}

/** An answer to a decision. Several picks may be sent together: all of them count, or none. */
export interface Answer {
  id: string;
  type: "answer";
  number: number;
  options: number[];
  done?: boolean;
}

/** The changed fields of a base, or all fields of a new one. */
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

/** A base after a previewed option. */
export interface BasePreview {
  serial: number;
  breakpoint: number;
  total: number;
  totals: number[];
  places: Standing[];
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

/** A new game against bots from a step of a finished one. */
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

/** The changed fields of a card in play, or all fields of a card that is new in the view. */
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

/** Send a chat message: free text, or a phrase that clients translate. */
export interface Chat {
  id: string;
  type: "chat";
  text?: string;
  phrase?: "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "oops" | "nice_card" | "ouch" | "your_turn" | "one_moment" | "good_game" | "again" | null;
}

/** A chat message. */
export interface ChatMessage {
  number: number;
  seat: number;
  at: number;
  text: string;
  phrase: string;
}

/** A named option: a printing or the level of a bot. */
export interface Choice {
  name: string;
  about: Sentence;
}

/** The running clock of a table with a turn limit. */
export interface Clock {
  seat: number;
  ends: number;
}

/** The puzzle of the day. */
export interface DailyPuzzle {
  date: string;
  puzzle: string;
}

/** The open decision (`DecisionView`), with cards as ids. */
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

/** How hard a puzzle is. */
export type Difficulty = "easy" | "medium" | "hard";

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

export type FromClient = Hello | Answer | PreviewRequest | Undo | UndoVote | Chat | HintRequest | Resync | Ping;

export type FromServer = Snapshot | Update | Ack | Preview | Hint | Refusal;

/** The analysis of a game as plain data. */
export interface GameReport {
  version: number;
  iterations: number;
  players: PlayerReport[];
  reviews: Review[];
  turning_points: TurningPoint[];
}

/** What a puzzle asks for. */
export type GoalKind = "win" | "take_base" | "lead";

/** The first message: the seat's secret, and the last update that the client has. */
export interface Hello {
  id: string;
  type: "hello";
  protocol?: number;
  secret?: string | null;
  stream?: string | null;
  version?: number | null;
  lang?: "en" | "fr" | null;
}

/** The choice of a strong bot that knows only what the seat knows. */
export interface Hint {
  type: "hint";
  id: string;
  number: number;
  option: number;
  opinions: OptionEstimate[];
}

/** Request a hint from a strong bot. Only allowed if all other players are bots. */
export interface HintRequest {
  id: string;
  type: "hint";
  number: number;
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

/** A player who joins a table. */
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

/** A known card of a deck and its depth. */
export interface KnownPatch {
  from_top: number;
  card: number | null;
}

/** The table of the tutorial. */
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
  question: Sentence | null;
  label: Sentence;
}

/** The tables that the lobby lists. */
export interface Lobby {
  tables: TableInfo[];
}

/** A line of the log. */
export interface LogLineView {
  number: number;
  event: string;
  message: Sentence;
}

/** The options for new tables. */
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

/** A bot's estimate of an option. */
export interface OptionEstimate {
  option: number;
  chance: number;
  visits: number;
}

/** An option of a decision, with its card as an id. */
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

/** The translations of English texts into a language. */
export interface Phrases {
  lang: string;
  phrases: Record<string, string>;
}

/** Check that the connection works. */
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
  accuracy: number | null;
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

/** The reply to a `PreviewRequest`. */
export interface Preview {
  complete: boolean;
  bases: BasePreview[] | null;
  vp: number[] | null;
  type: "preview";
  id: string;
  number: number;
  option: number;
}

/** Request a preview of an option, without choosing it. */
export interface PreviewRequest {
  id: string;
  type: "preview";
  number: number;
  option: number;
}

/** Why the server refused a request: a code for programs and a sentence for people. */
export interface Problem {
  code: RefusalCode;
  reason: Sentence;
}

/** The stable id of what a decision is for, independent of its English prompt. */
export type Purpose = "play_menu" | "special_window" | "extra_play" | "titan_play" | "target" | "choose" | "choose_base" | "choose_player" | "mode" | "may_mode" | "may" | "discard" | "search" | "search_piles" | "may_search" | "move_to" | "order_on_top" | "order_on_bottom" | "top_or_bottom" | "draft" | "mulligan" | "uncover" | "order_triggers" | "order_scoring" | "order_replacements" | "starting_breakpoint" | "next_base" | "titan_limit" | "which_titan" | "name_faction";

/** A player who starts a puzzle. */
export interface PuzzleForm {
  name?: string;
  lang?: "en" | "fr";
}

/** A hint for a puzzle. */
export interface PuzzleHint {
  hint: Sentence;
  more: number;
}

/** A puzzle, without its position and its solution. */
export interface PuzzleInfo {
  id: string;
  goal: Sentence;
  kind: GoalKind;
  player: number;
  factions: string[][];
  difficulty: Difficulty;
  plays: number;
}

/** The solution of a puzzle, with what happens after each choice. */
export interface PuzzleSolution {
  steps: SolutionStep[];
}

/** Whether the puzzle at a table is solved. */
export interface PuzzleStatus {
  puzzle: string;
  outcome: "open" | "solved" | "failed";
}

/** All puzzles. */
export interface Puzzles {
  puzzles: PuzzleInfo[];
}

/** Why a card, or the rules, ask now: the event the asking card reacts to. */
export interface Reason {
  kind: "start_of_turn" | "end_of_turn" | "card_played" | "card_moved" | "card_left" | "card_destroyed" | "card_returned" | "cards_discarded" | "talent_used" | "control_changed" | "base_played" | "before_scoring" | "scoring" | "after_scoring" | "base_replaced";
  card?: NamedCard;
  player?: number;
  base?: number;
}

/** A message was refused. Nothing has changed. */
export interface Refusal {
  type: "refused";
  id: string | null;
  code: RefusalCode;
  reason: Sentence;
  stale: boolean;
  number: number | null;
  decision: DecisionView | null;
  outdated: boolean;
}

/** Why something was refused, for programs; the sentence is for people. */
export type RefusalCode = "bot_plays_seat" | "card_failed" | "conflict" | "damaged" | "forbidden" | "game_not_started" | "game_over" | "illegal_choice" | "incompatible_picks" | "incomplete_picks" | "invalid" | "malformed" | "no_advice" | "not_found" | "outdated_client" | "out_of_time" | "rate_limited" | "stale" | "table_reloading" | "undo_not_possible" | "undo_request_closed";

/** A vote to replace an absent player with a bot. */
export interface ReplaceForm {
  level?: "easy" | "normal" | "hard" | "expert";
}

/** A report to the operator of the server. */
export interface ReportForm {
  kind: "bug" | "chat";
  text?: string;
  said?: number | null;
}

/** A report that was stored. */
export interface Reported {
  id: string;
  scenario: string;
}

/** Request a snapshot, because the client's view does not match the checksum of an update. */
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

/** A rule of the reference: a text with simple markup (`smashup.rules`). */
export interface Rule {
  id: string;
  title: string;
  text: string;
  example: string;
  editions: Record<string, string>;
  terms: string[];
  see: string[];
}

/** A chapter of the rules reference. */
export interface RuleChapter {
  id: string;
  title: string;
  rules: Rule[];
}

/** The rules reference in a language, and the rules for decisions and log lines. */
export interface Rulebook {
  lang: string;
  chapters: RuleChapter[];
  purposes: Record<string, string[]>;
  cards: Record<string, Record<string, string[]>>;
  events: Record<string, string[]>;
  otherwise: string[];
}

/** A ruling about a card, in English. */
export interface Ruling {
  id: string;
  title: string;
}

/** All rulings by card name. */
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

/** The public information about a seat. */
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

/** The settings of a seat's owner, visible only to them. */
export interface SeatPreferences {
  lang: string;
  windows: "ask" | "pass" | "card" | "always";
  cards: string[];
}

/** Settings that the owner of a seat can change; omitted fields stay unchanged. */
export interface SeatSettings {
  name?: string | null;
  lang?: "en" | "fr" | null;
  windows?: "ask" | "pass" | "card" | "always" | null;
  cards?: string[] | null;
}

/** A seat and its secret, which the server sends only once. */
export interface SeatTaken {
  seat: number;
  secret: string;
}

/** A table with the seats that the client has just taken. */
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

/** The complete state: sent after a hello without a usable version, or after a resync. */
export interface Snapshot {
  table: TableInfo;
  view: View | null;
  number: number | null;
  wishes: SeatPreferences | null;
  clock: Clock | null;
  undo: UndoRequestInfo | null;
  can_undo: boolean;
  hints: boolean;
  chances: number[] | null;
  version: number;
  lines: LogLineView[];
  rewound: number | null;
  chat: ChatMessage[];
  now: number;
  type: "snapshot";
  stream: string;
  seat: number | null;
}

/** A choice of the solution, and its consequences. */
export interface SolutionStep {
  question: Sentence | null;
  label: Sentence;
  log: Sentence[];
}

/** The VP a player would get if the base scored now. */
export interface Standing {
  player: number;
  place: number;
  vp: number;
  power?: number;
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

/** The public information about a table. */
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

/** The current state of a table. */
export interface TableResponse {
  table: TableInfo;
}

/** A decision that gave away much, and what could have been done instead. */
export interface TurningPoint {
  review: Review;
  line: LineStep[];
}

/** A player who starts the tutorial. */
export interface TutorialForm {
  name?: string;
  lang?: "en" | "fr";
}

/** The plan of the tutorial: the advised choices of the learner, by turn. */
export interface TutorialPlan {
  advice: Record<string, LessonAdvice[]>;
}

/** Undo the player's last choice. Other people at the table have to agree. */
export interface Undo {
  id: string;
  type: "undo";
  number: number;
}

/** A request to undo a choice, on which the other people vote. */
export interface UndoRequestInfo {
  number: number;
  seat: number;
  agreed: number[];
}

/** Vote on an undo request. The player who made it can withdraw it with ``yes: false``. */
export interface UndoVote {
  id: string;
  type: "agree";
  wish: number;
  yes: boolean;
}

/** The changes since the previous version. */
export interface Update {
  table?: TableInfo;
  view?: View | null;
  patch?: ViewPatch;
  number?: number | null;
  wishes?: SeatPreferences | null;
  clock?: Clock | null;
  undo?: UndoRequestInfo | null;
  can_undo?: boolean;
  hints?: boolean;
  chances?: number[] | null;
  version: number;
  lines: LogLineView[];
  rewound: number | null;
  chat: ChatMessage[];
  now: number;
  type: "update";
  changes: EventView[];
  checksum?: number;
}

/** How good a choice was, by the win probability that it gave away. */
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
