import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { ignoreSecondClicks } from './ignore-second-clicks.ts'
import { resumeSound } from '#web/audio/sound.ts'
import { loadPage } from '#web/shell/load-page.ts'
import { closeOnBack } from '#web/shell/menu-store.ts'

/** Starts the app. It hydrates the prerendered page, unless query parameters change what the page shows. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  await loadPage(window.location.pathname)
  resumeSound()
  closeOnBack()
  ignoreSecondClicks(document)
  const ready = Promise.withResolvers<void>()
  const app = <App Router={BrowserRouter} onReady={ready.resolve} />
  if (root.hasChildNodes() && window.location.search === '') hydrateRoot(root, app)
  else createRoot(root).render(app)
  await ready.promise
}
