/** The one answer to "which rule is this?" that is shown at a time, and where. */

import { settings } from "../../lib/settings.svelte";
import type { DecisionView, LogLineView } from "../../protocol";
import { rulebook } from "./rulebook.svelte";

export interface RulePopupRequest {
    /** The button that asked. */
    anchor: HTMLElement;
    decision: DecisionView | null;
    line: LogLineView | null;
    ids: string[];
}

class WhichRule {
    shown = $state.raw<RulePopupRequest | null>(null);

    toggle(asked: RulePopupRequest): void {
        if (this.shown?.anchor === asked.anchor) this.close();
        else {
            void rulebook.open(settings.lang);
            this.shown = asked;
        }
    }

    close(): void {
        this.shown = null;
    }
}

export const rulePopup = new WhichRule();
