import { post } from '#contract/route.ts'
import { claimWorker } from '#contract/workers.ts'

/** A route that takes and answers what a claim does, key included, and asks nobody: the edge, and nothing behind it. */
export const EMPTY = post('/api/bench/empty', {
  summary: 'Nothing.',
  keyed: true,
  body: claimWorker.body,
  reply: claimWorker.reply,
})
