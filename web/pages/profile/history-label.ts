import { WORKER_TYPES, WORKERS, type WorkerType } from '#game/workers.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import type { HistoryItem } from './use-history.ts'

/** The label of a movement, and the ids behind it. */
export type HistoryLabel = { label: string; id: string | null }

const isType = (type: unknown): type is WorkerType => WORKER_TYPES.some((each) => each === type)

const nameOf = (type: unknown): string | undefined => (isType(type) ? WORKERS[type].name : undefined)

/** The name in a worker's id: `kid-0042` is a Kid. */
const nameInId = (id: string): string | undefined => nameOf(id.slice(0, id.lastIndexOf('-')))

/** The name of a kind. One that only a newer server knows is named by its code. */
export const nameOfKind = (kind: HistoryItem['kind']): string => historyMessages.kinds[kind] ?? kind

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

/** Says a movement in names: `Hired Grandma`, `Bought Malta, Europe`. A reply without names shows the id. */
export function historyLabel({
  kind,
  detail,
  amount,
}: Pick<HistoryItem, 'kind' | 'detail' | 'amount'>): HistoryLabel {
  const worker = textOrNull(detail.workerId)
  switch (kind) {
    case 'hire':
      return labelWorker(worker, historyMessages.hired, historyMessages.kinds.hire)
    case 'claim':
      if (worker) return labelWorker(worker, (name) => historyMessages.claimedFrom(name, null), '')
      return { label: claimText(detail), id: null }
    case 'parcel':
    case 'resale':
      return {
        label: landText({ kind, detail, isSale: amount !== null && amount > 0n }),
        id: textOrNull(detail.parcelId),
      }
    default:
      return { label: nameOfKind(kind), id: null }
  }
}

function labelWorker(id: string | null, say: (name: string) => string, plain: string): HistoryLabel {
  return id === null
    ? { label: plain, id: null }
    : { label: say(nameInId(id) ?? id), id: nameInId(id) ? id : null }
}

function claimText({ workerType, workers }: HistoryItem['detail']): string {
  const count = Number(workers)
  const from = nameOf(workerType) ?? (count > 0 ? historyMessages.allPickers : undefined)
  if (from === undefined) return historyMessages.kinds.claim
  return historyMessages.claimedFrom(from, count > 1 ? count : null)
}

type LandMove = Pick<HistoryItem, 'detail'> & { kind: 'parcel' | 'resale'; isSale: boolean }

function landText({ kind, detail, isSale }: LandMove): string {
  const land = textOrNull(detail.countryName)
  if (land === null) return historyMessages.kinds[kind]
  if (kind === 'parcel') return historyMessages.boughtLand(land, textOrNull(detail.regionName))
  const other = textOrNull(detail.counterparty)
  const player = other === null ? null : shortAddress(other)
  return isSale ? historyMessages.sold(land, player) : historyMessages.boughtFrom(land, player)
}

/** The operator's reason for a refund or an adjustment, or null. */
export function historyReason({ detail }: Pick<HistoryItem, 'detail'>): string | null {
  return textOrNull(detail.reason)
}
