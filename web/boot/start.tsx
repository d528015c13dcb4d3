import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { ignoreSecondClicks } from './ignore-second-clicks.ts'
import { resumeSound } from '#web/audio/sound.ts'
import { PAGE_PARAMETER } from '#web/paths.ts'
import { loadPage } from '#web/shell/load-page.ts'
import { closeOnBack } from '#web/shell/menu-store.ts'

/** Starts the app. It hydrates the prerendered page, unless a parameter of the address changes what the page shows. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')!
  await loadPage(window.location.pathname)
  resumeSound()
  closeOnBack()
  ignoreSecondClicks(document)
  const ready = Promise.withResolvers<void>()
  const app = <App Router={BrowserRouter} onReady={ready.resolve} />
  if (root.hasChildNodes() && !PAGE_PARAMETER.test(window.location.search)) hydrateRoot(root, app)
  else createRoot(root).render(app)
  await ready.promise
}
