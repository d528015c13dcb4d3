import type { Config } from '#server/platform/config.ts'
import { errorCode } from '#server/platform/startup-error.ts'

/** `fix`: something must be done. `note`: worth knowing. */
export type Finding = {
  level: 'ok' | 'note' | 'fix'
  /** What was examined, in one or two words. */
  topic: string
  /** What was found. */
  what: string
  /** What to do about it. */
  remedy?: string
}

export type DoctorContext = {
  config: Config
  /** The variables that are no part of `Config`. */
  env: Readonly<Record<string, string | undefined>>
  now: () => Date
}

/** The findings of one topic. */
export function findingsOn(topic: string) {
  const found: Finding[] = []
  return {
    ok: (what: string) => void found.push({ level: 'ok', topic, what }),
    note: (what: string, remedy: string) => void found.push({ level: 'note', topic, what, remedy }),
    fix: (what: string, remedy: string) => void found.push({ level: 'fix', topic, what, remedy }),
    found,
  }
}

/** One line: `FIX   clock: 90 s behind — synchronise it`. */
export function lineOf({ level, topic, what, remedy }: Finding): string {
  const sign = { ok: 'ok  ', note: 'note', fix: 'FIX ' }[level]
  return `${sign}  ${topic}: ${what}${remedy === undefined ? '' : ` — ${remedy}`}`.replaceAll(
    /\s*\n\s*/g,
    ' ',
  )
}

/** Why a `fetch` failed. If it tried several addresses, its cause has a code and no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const { cause, message } = error
  return (cause instanceof Error && (cause.message || errorCode(cause))) || message
}
