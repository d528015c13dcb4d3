type Offer = { id: string; status: string }

/** The listings of a seller that were sold between two responses; none for the first response. */
export function findNewlySold<L extends Offer>(
  before: readonly L[] | undefined,
  now: readonly L[] | undefined,
): readonly L[] {
  const active = new Set(before?.filter(({ status }) => status === 'active').map(({ id }) => id))
  return now?.filter(({ id, status }) => status === 'sold' && active.has(id)) ?? []
}
