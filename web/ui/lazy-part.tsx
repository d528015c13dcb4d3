import { type ReactNode, Suspense } from 'react'
import warning from '#web/art/icons/warning.webp'
import { messages } from '#web/messages/en.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Note } from './note.tsx'

type LazyPartProps = {
  /** Shown while the code loads; nothing by default. */
  loading?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of the page whose code is loaded on demand. If that fails, a note asks to reload the page. */
export function LazyPart({ loading, className, children }: LazyPartProps) {
  const failed = (
    <Note tone="bad" picture={warning} role="alert" className={className}>
      {messages.errors.notLoaded}
    </Note>
  )
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={loading}>{children}</Suspense>
    </ErrorBoundary>
  )
}
