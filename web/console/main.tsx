import '#web/css/layers.css'
import '#web/css/tokens.css'
import '#web/css/base.css'
import './console-tokens.css'
import './console.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { queryClient } from './api/queries.ts'
import { ConsoleApp } from './console-app.tsx'
import { applyTheme } from './theme.ts'

applyTheme()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <ConsoleApp />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
