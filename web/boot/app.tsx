import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react'
import { AppRoutes } from './routes.tsx'

type AppProps = { Router: ComponentType<{ children: ReactNode }>; onReady?: () => void }

/** The whole app, in the browser and in the prerender build. `onReady` is called once it handles clicks. */
export function App({ Router, onReady }: AppProps) {
  useEffect(() => onReady?.(), [onReady])
  return (
    <StrictMode>
      <Router>
        <AppRoutes />
      </Router>
    </StrictMode>
  )
}
