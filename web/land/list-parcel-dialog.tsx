import { useState } from 'react'
import { CONTINENTS } from '#game/continents.ts'
import { useMyListings } from './use-listings.ts'
import { useOpenContinents } from '#web/api/use-market-open.ts'
import { useOwnedLand } from '#web/api/use-owned-land.ts'
import warning from '#web/art/icons/warning.webp'
import { continentOf, inNameOrder } from './land-state.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { shownOrExact } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { marketWords } from '#web/messages/en-market.ts'
import { Coins } from '#web/ui/coins.tsx'
import styles from './market.module.css'
import { shares, typedPrice } from './typed-price.ts'
import { useListParcel } from './use-list-parcel.ts'

type Problems = { parcel?: string; price?: string; again?: string }
type ToSell = { parcelId: string; countryName: string }

/** Offers land: which, for how much, and the price typed twice, so that no slip sells a country for nothing. */
export function ListParcelDialog({ parcel, onClose }: { parcel?: ToSell; onClose: () => void }) {
  const [parcelId, setParcelId] = useState(parcel?.parcelId ?? '')
  const [price, setPrice] = useState('')
  const [again, setAgain] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const { list, listing, resting, failure } = useListParcel(onClose)
  const { land, failed } = useUnlistedLand()
  const isOpenEverywhere = useOpenContinents()?.length === CONTINENTS.length
  const amount = typedPrice(price)
  const split = amount === null ? null : shares(amount)

  const confirm = (): void => {
    const chosen = parcel ?? land?.find((each) => each.parcelId === parcelId)
    const found: Problems = {}
    // Chosen land that is on the list no more was offered in another window meanwhile.
    if (!chosen) found.parcel = parcelId === '' ? marketWords.noParcel : marketWords.alreadyListed
    if (amount === null) found.price = marketWords.badPrice
    else if (typedPrice(again) !== amount) found.again = marketWords.notTheSame
    setProblems(found)
    if (chosen && amount !== null && !found.again)
      list({ parcelId: chosen.parcelId, name: chosen.countryName, price: amount })
  }
  const change = (set: (value: string) => void, field: keyof Problems) => (value: string) => {
    set(value)
    setProblems((before) => ({ ...before, [field]: undefined }))
  }

  const nothing = !parcel && land?.length === 0
  const form = !nothing && !(failed && !parcel)
  return (
    <Dialog
      title={parcel ? parcel.countryName : marketWords.listLand}
      ribbon={{ text: marketWords.listTitle }}
      text={marketWords.listText}
      onClose={listing ? () => undefined : onClose}
      actions={
        <>
          <Button tone="leaf" busy={listing} resting={resting} disabled={!form} onClick={confirm}>
            {listing ? marketWords.putting : marketWords.put}
          </Button>
          <Button disabled={listing} onClick={onClose}>
            {marketWords.cancel}
          </Button>
        </>
      }
    >
      {parcel ? null : failed ? (
        <Problem text={marketWords.landFailed} />
      ) : nothing ? (
        <Problem text={isOpenEverywhere ? marketWords.noLand : marketWords.noOpenLand} />
      ) : (
        <Which
          land={land}
          value={parcelId}
          problem={problems.parcel}
          disabled={listing}
          onChange={change(setParcelId, 'parcel')}
        />
      )}
      {form ? (
        <>
          <div className={styles.typed}>
            <AmountField
              label={marketWords.askPrice}
              value={price}
              onChange={change(setPrice, 'price')}
              error={problems.price}
              disabled={listing}
              autoFocusInDialog={Boolean(parcel)}
            />
          </div>
          <div className={styles.shares}>
            <Facts>
              <Fact name={marketWords.fee}>
                <output>
                  <Coins>{split ? shownOrExact(split.fee) : '–'}</Coins>
                </output>
              </Fact>
              <Fact name={marketWords.youReceive}>
                <output>
                  <Coins>{split ? shownOrExact(split.receives) : '–'}</Coins>
                </output>
              </Fact>
            </Facts>
          </div>
          <div className={styles.typed}>
            <AmountField
              label={marketWords.askAgain}
              value={again}
              onChange={change(setAgain, 'again')}
              error={problems.again}
              disabled={listing}
            />
          </div>
        </>
      ) : null}
      {failure ? <Problem text={failure} /> : null}
    </Dialog>
  )
}

const Problem = ({ text }: { text: string }) => (
  <Note tone="bad" picture={warning} role="alert" className={styles.problem}>
    {text}
  </Note>
)

/** The player's land that is not for sale yet and may be; undefined while loading. */
function useUnlistedLand(): { land: readonly ToSell[] | undefined; failed: boolean } {
  const owned = useOwnedLand()
  const mine = useMyListings()
  const open = useOpenContinents() ?? []
  const failed = (owned.isError && !owned.data) || (mine.isError && !mine.data)
  if (!owned.data || !mine.data) return { land: undefined, failed }
  const listed = new Set(mine.data.filter(({ status }) => status === 'active').map((each) => each.parcelId))
  const mayList = ({ parcelId }: ToSell) => !listed.has(parcelId) && open.includes(continentOf(parcelId))
  return { land: inNameOrder(owned.data).filter(mayList), failed }
}

type WhichProps = {
  land: readonly ToSell[] | undefined
  value: string
  problem: string | undefined
  disabled: boolean
  onChange: (parcelId: string) => void
}

function Which({ land, value, problem, disabled, onChange }: WhichProps) {
  return (
    <div className={styles.typed}>
      <label className={styles.field}>
        <span className={styles.label}>{marketWords.which}</span>
        <select
          className={styles.select}
          value={value}
          disabled={disabled}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'which-problem' : undefined}
          data-autofocus
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{marketWords.choose}</option>
          {land?.map(({ parcelId, countryName }) => (
            <option key={parcelId} value={parcelId}>
              {countryName}
            </option>
          ))}
        </select>
      </label>
      <p className={styles.problemLine} id="which-problem" role="alert">
        {problem}
      </p>
    </div>
  )
}
