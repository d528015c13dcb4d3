import { WORKERS, type WorkerType } from '#game/workers.ts'
import { messages } from '#web/messages/en.ts'
import type { HistoryItem } from './use-history.ts'

const typeName = (type: unknown): string | undefined =>
  typeof type === 'string' && Object.hasOwn(WORKERS, type) ? WORKERS[type as WorkerType].name : undefined

/** The label of a movement of the balance: `Hired kid-0042`, `Claimed from Grandma ×5`. */
export function historyLabel({ kind, detail }: Pick<HistoryItem, 'kind' | 'detail'>): string {
  const label = messages.history.kinds[kind]
  const { workerId, workerType, workers, parcelId } = detail
  if (kind === 'claim') {
    const from =
      typeName(workerType) ?? workerId ?? (Number(workers) > 0 ? messages.history.allPickers : undefined)
    if (from === undefined) return label
    return messages.history.claimedFrom(String(from), Number(workers) > 1 ? Number(workers) : null)
  }
  const what = workerId ?? parcelId
  return what === undefined ? label : `${label} ${what}`
}

/** The operator's reason for a refund or an adjustment, or null. */
export function historyReason({ detail }: Pick<HistoryItem, 'detail'>): string | null {
  return typeof detail.reason === 'string' && detail.reason ? detail.reason : null
}
