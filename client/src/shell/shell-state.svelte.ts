/** What pages tell the shell: how much of the header to show, and that the settings are to open. */

class Chrome {
    /** At a table the header shrinks to a strip and the page does not scroll. */
    atTable = $state(false);
    /** Whether the dialog with the settings is open. */
    settingsOpen = $state(false);
    /** The page title while a hidden page waits for its player. */
    call = $state<string | null>(null);
}

export const shellState = new Chrome();

/** For any page with a button of its own. */
export function openSettings(): void {
    shellState.settingsOpen = true;
}
