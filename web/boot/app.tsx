import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react'
import { AppRoutes } from './routes.tsx'

type AppProps = { Router: ComponentType<{ children: ReactNode }>; onReady?: () => void }

/** The whole app, in the browser or where the build draws its pages. `onReady`: it hears what is pressed. */
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
