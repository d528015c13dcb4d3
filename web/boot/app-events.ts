// Events that `main.ts` dispatches on the document. `head-script.ts` listens for them. The build inlines the names there,
// because that script imports nothing.

/** The app has hydrated and handles clicks. */
export const APP_READY = 'app-ready'
/** The app's code failed to load. */
export const APP_FAILED = 'app-failed'
