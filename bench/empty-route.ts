import { post } from '#contract/route.ts'
import { claimWorker } from '#contract/workers.ts'

/** A route with the body and reply of a claim that does nothing: the cost of HTTP alone. */
export const EMPTY = post('/api/bench/empty', {
  summary: 'Nothing.',
  keyed: true,
  body: claimWorker.body,
  reply: claimWorker.reply,
})
