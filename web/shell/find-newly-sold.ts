type Offer = { id: string; status: string }

/** Which of a seller's listings were sold between two answers; nothing is new in the first one. */
export function findNewlySold<L extends Offer>(
  before: readonly L[] | undefined,
  now: readonly L[] | undefined,
): readonly L[] {
  const active = new Set(before?.filter(({ status }) => status === 'active').map(({ id }) => id))
  return now?.filter(({ id, status }) => status === 'sold' && active.has(id)) ?? []
}
