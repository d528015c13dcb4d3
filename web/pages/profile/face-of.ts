import { FAMILY } from '#game/milestones.ts'
import type { WorkerType } from '#game/workers.ts'

/** The face of a player: one of the family, always the same for a wallet. */
export function faceOf(wallet: string): WorkerType {
  const sum = [...wallet].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return FAMILY[sum % FAMILY.length] ?? 'grandma'
}
