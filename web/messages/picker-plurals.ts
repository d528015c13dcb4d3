import type { WorkerType } from '#game/workers.ts'

/** The names of several pickers of a type. */
export const PICKER_PLURALS: Readonly<Record<WorkerType, string>> = {
  kid: 'Kids',
  grandma: 'Grandmas',
  grandad: 'Grandads',
  bigman: 'BigMen',
}
