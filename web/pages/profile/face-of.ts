import { WORKER_TYPES, type WorkerType } from '#game/workers.ts'

/** The face of a player: one of the family, always the same for a wallet. */
export function faceOf(wallet: string): WorkerType {
  const sum = [...wallet].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return WORKER_TYPES[sum % WORKER_TYPES.length] ?? 'grandma'
}
