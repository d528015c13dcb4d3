import type { ReactNode } from 'react'
import { consoleMessages } from '#web/messages/en-console.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { sentenceOf } from '../api/console-error.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import styles from './state.module.css'

export type ReadState<T> = { data: T | undefined; error: Error | null; refetch: () => unknown }

/** What a read gives: its content, a placeholder until it is there, or why it failed. Old content stays and says so. */
export function Read<T>({ of, children }: { of: ReadState<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined)
    return (
      <>
        {of.error ? <Outdated error={of.error} /> : null}
        {children(of.data)}
      </>
    )
  if (of.error) return <ReadFailure error={of.error} onRetry={() => void of.refetch()} />
  return <LoadingRows />
}

function Outdated({ error }: { error: Error }) {
  return (
    <div className={styles.outdated}>
      <Notice tone="warn">
        {sentenceOf(error, consoleMessages.readFailed)} {consoleMessages.outdated}
      </Notice>
    </div>
  )
}

function ReadFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className={styles.failure} role="alert">
      <p>{sentenceOf(error, consoleMessages.readFailed)}</p>
      <Button onClick={onRetry}>{consoleMessages.retry}</Button>
    </div>
  )
}

const WIDTHS = ['92%', '78%', '86%', '64%']

function LoadingRows() {
  return (
    <div className={styles.loading}>
      <output className="vh">{consoleMessages.loading}</output>
      {WIDTHS.map((width) => (
        <Skeleton key={width} width={width} height={16} borderRadius={4} />
      ))}
    </div>
  )
}
