/**
 * SQL for the price of the newest sale of a parcel: of its resales `p` that `condition` allows, else of the sale by the
 * game. The index `listings_sold` finds it.
 */
export const lastPriceOf = (parcelId: string, condition = 'true'): string =>
  `coalesce(
    (select p.price from listings p where p.parcel_id = ${parcelId} and p.state = 'sold' and ${condition}
     order by p.closed_at desc, p.id desc limit 1),
    (select f.price_paid from land f where f.parcel_id = ${parcelId}))`
