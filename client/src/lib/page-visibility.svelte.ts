/** Whether the page is visible. */

class Sight {
    hidden = $state(document.visibilityState === "hidden");

    constructor() {
        document.addEventListener("visibilitychange", () => {
            this.hidden = document.visibilityState === "hidden";
        });
    }
}

export const pageVisibility = new Sight();
