import './css/layers.css'
import './css/tokens.css'
import './css/fonts.css'
import './css/base.css'
import './css/world.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { wakeSound } from './audio/sound.ts'
import { AppRoutes, loadPage } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

loadPage(window.location.pathname)
wakeSound()

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <AppRoutes />
    </BrowserRouter>
  </StrictMode>,
)
