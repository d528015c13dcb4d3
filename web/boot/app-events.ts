// What `main.ts` tells the document of the app. `head-script.ts` hears it, and stands alone: these are written into it.

/** It hears from now on what is pressed. */
export const APP_READY = 'app-ready'
/** Its code has not come, and will not. */
export const APP_FAILED = 'app-failed'
