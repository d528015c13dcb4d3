import check from '#web/art/icons/check.webp'
import cross from '#web/art/icons/cross.webp'
import info from '#web/art/icons/info.webp'
import warning from '#web/art/icons/warning.webp'

export type OutcomeKind = 'success' | 'error' | 'info' | 'warning'

/** The outcome of an action, shown in a toast or in the dialog in which it was started. */
export type Outcome = { kind: OutcomeKind; title?: string; text: string }

export const OUTCOME_ICONS: Readonly<Record<OutcomeKind, string>> = {
  success: check,
  error: cross,
  info,
  warning,
}
