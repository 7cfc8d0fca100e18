/** Alerts a player whose page is hidden: by title, icon, sound, and a notification if enabled. */

import { settings } from "../../lib/settings.svelte";
import { sounds } from "../../lib/sound";
import { shellState } from "../../shell/shell-state.svelte";

/** Where a page may ask the device to show something. */
export function canNotify(): boolean {
    return "Notification" in globalThis;
}

/** Ask the device; whether it is allowed. */
export async function requestPermission(): Promise<boolean> {
    if (!canNotify()) return false;
    if (Notification.permission === "granted") return true;
    return (await Notification.requestPermission()) === "granted";
}

const ICON = "/art/icon.svg";
const TURN_ICON = "/art/icon-turn.svg";

/** Alert until the returned function is called or the page is visible. */
export function alertPlayer(title: string, about: string, table: string): () => void {
    shellState.call = title;
    showIcon(TURN_ICON);
    sounds.play("turn");
    void notify(title, about, table);
    return () => {
        shellState.call = null;
        showIcon(ICON);
        void forgetNotes(table);
    };
}

function showIcon(address: string): void {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", address);
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>;
    const badge = address === TURN_ICON ? setAppBadge : clearAppBadge;
    badge?.call(navigator).catch(() => {
        // Only apps that are installed have a badge.
    });
}

async function notify(title: string, body: string, table: string): Promise<void> {
    if (!settings.notify || !canNotify() || Notification.permission !== "granted") return;
    const note = { body, tag: table, icon: "/art/icon-192.png", data: { path: `/table/${table}` } };
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    try {
        // On phones only the worker may show something; elsewhere the page may, with or without one.
        if (worker) await worker.showNotification(title, note);
        else new Notification(title, note);
    } catch {
        // The device thinks better of it; the title says the same.
    }
}

async function forgetNotes(table: string): Promise<void> {
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    const notes = (await worker?.getNotifications?.({ tag: table }).catch(() => [])) ?? [];
    for (const note of notes) note.close();
}
