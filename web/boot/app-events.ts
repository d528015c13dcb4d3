// What `main.ts` tells the document of the app. `light.ts` hears it, and stands alone: these are written into it.

/** It hears from now on what is pressed. */
export const APP_AWAKE = 'app-awake'
/** Its code has not come, and will not. */
export const APP_LOST = 'app-lost'
