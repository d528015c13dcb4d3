import type { RefusalCode } from '#contract/refusals.ts'
import type { ImpliedRefusal, RefusalOf, Route } from '#contract/route.ts'

/** Every code that a call to this route may be refused with: its own, and those that its declaration implies. */
export function declaredRefusals(route: Route): ReadonlySet<RefusalCode> {
  return new Set<RefusalOf<typeof route>>([...route.refuses, ...impliedRefusals(route)])
}

function impliedRefusals({ method, params, query, auth, keyed }: Route): ImpliedRefusal[] {
  const reads: ImpliedRefusal[] = params || query || method === 'POST' ? ['malformed'] : []
  const body: ImpliedRefusal[] = method === 'POST' ? ['too_large', 'wrong_media_type'] : []
  const session: ImpliedRefusal[] = auth === 'anyone' ? [] : ['not_authenticated', 'tokens_disagree']
  const key: ImpliedRefusal[] = keyed ? ['key_malformed', 'key_reused', 'unknown_outcome'] : []
  return [...reads, ...body, ...session, ...key, 'foreign_origin', 'too_many_requests', 'busy', 'unexpected']
}
