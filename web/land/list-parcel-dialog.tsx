import { continentOf } from '#game/parcels.ts'
import { useState } from 'react'
import { CONTINENTS } from '#game/continents.ts'
import { useMyListings } from './use-listings.ts'
import { useOpenContinents } from '#web/api/use-market-open.ts'
import { useOwnedLand } from '#web/api/use-owned-land.ts'
import warning from '#web/art/icons/warning.webp'
import { sortByName } from './land-state.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { formatAmount } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Note } from '#web/ui/note.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { messages } from '#web/messages/en.ts'
import { Coins } from '#web/ui/coins.tsx'
import styles from './market.module.css'
import { parsePrice, splitPrice } from './listing-price.ts'
import { PricesToCompare } from './prices-to-compare.tsx'
import { useListParcel } from './use-list-parcel.ts'

type Problems = { parcel?: string; price?: string; again?: string }
type SellableParcel = { parcelId: string; countryName: string }

/** The form to list a parcel. The price is typed twice, so that a typo cannot sell a country for nothing. */
export function ListParcelDialog({ parcel, onClose }: { parcel?: SellableParcel; onClose: () => void }) {
  const [parcelId, setParcelId] = useState(parcel?.parcelId ?? '')
  const [price, setPrice] = useState('')
  const [again, setAgain] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const chosenId = parcel?.parcelId ?? parcelId
  const { list, listing, resting, failure, forgetFailure } = useListParcel(chosenId, onClose)
  const { land, failed } = useUnlistedLand()
  const isOpenEverywhere = useOpenContinents()?.length === CONTINENTS.length
  const amount = parsePrice(price)
  const split = amount === null ? null : splitPrice(amount)

  const confirm = (): void => {
    const chosen = parcel ?? land?.find((each) => each.parcelId === parcelId)
    const found: Problems = {}
    // A chosen parcel that is no longer in the list was listed in another window.
    if (!chosen) found.parcel = parcelId === '' ? marketMessages.noParcel : marketMessages.alreadyListed
    if (amount === null) found.price = marketMessages.badPrice
    else if (parsePrice(again) !== amount) found.again = marketMessages.pricesDiffer
    setProblems(found)
    if (chosen && amount !== null && !found.again) list({ name: chosen.countryName, price: amount })
  }
  // A failure is about the offer that was made, not about the next one.
  const change = (set: (value: string) => void, field: keyof Problems) => (value: string) => {
    set(value)
    setProblems((before) => ({ ...before, [field]: undefined }))
    forgetFailure()
  }

  const noLand = isOpenEverywhere ? marketMessages.noLand : marketMessages.noOpenLand
  // Why there is no form. A dialog that was opened for a parcel needs no list to choose from.
  const blocked = parcel ? null : failed ? marketMessages.landFailed : land?.length === 0 ? noLand : null
  return (
    <Dialog
      title={parcel ? parcel.countryName : marketMessages.listLand}
      ribbon={{ text: marketMessages.listTitle }}
      text={marketMessages.listText}
      onClose={listing ? () => undefined : onClose}
      actions={
        <>
          <Button
            movesValue
            tone="leaf"
            busy={listing}
            resting={resting}
            disabled={blocked !== null}
            onClick={confirm}
          >
            {listing ? marketMessages.submittingListing : marketMessages.submitListing}
          </Button>
          <Button disabled={listing} onClick={onClose}>
            {marketMessages.cancel}
          </Button>
        </>
      }
    >
      {blocked ? (
        <Problem text={blocked} />
      ) : (
        <>
          {parcel ? null : (
            <ParcelSelect
              land={land}
              value={parcelId}
              problem={problems.parcel}
              disabled={listing}
              onChange={change(setParcelId, 'parcel')}
            />
          )}
          <PricesToCompare parcelId={chosenId} />
          <div className={styles.typed}>
            <AmountField
              whole
              label={marketMessages.priceLabel}
              value={price}
              onChange={change(setPrice, 'price')}
              error={problems.price}
              disabled={listing}
              autoFocusInDialog={Boolean(parcel)}
            />
          </div>
          <div className={styles.shares}>
            <Facts>
              <Fact name={marketMessages.fee}>
                <output>
                  <Coins>{split ? formatAmount(split.fee) : '–'}</Coins>
                </output>
              </Fact>
              <Fact name={marketMessages.youReceive}>
                <output>
                  <Coins>{split ? formatAmount(split.receives) : '–'}</Coins>
                </output>
              </Fact>
            </Facts>
          </div>
          <div className={styles.typed}>
            <AmountField
              whole
              label={marketMessages.repeatPriceLabel}
              value={again}
              onChange={change(setAgain, 'again')}
              error={problems.again}
              disabled={listing}
            />
          </div>
        </>
      )}
      {failure ? <Problem text={failure} /> : null}
    </Dialog>
  )
}

const Problem = ({ text }: { text: string }) => (
  <Note tone="bad" picture={warning} role="alert" className={styles.problem}>
    {text}
  </Note>
)

/** The player's land that is not listed and can be; undefined while loading. */
function useUnlistedLand(): { land: readonly SellableParcel[] | undefined; failed: boolean } {
  const owned = useOwnedLand()
  const mine = useMyListings()
  const open = useOpenContinents() ?? []
  const failed = (owned.isError && !owned.data) || (mine.isError && !mine.data)
  if (!owned.data || !mine.data) return { land: undefined, failed }
  const listed = new Set(mine.data.filter(({ status }) => status === 'active').map((each) => each.parcelId))
  const mayList = ({ parcelId }: SellableParcel) =>
    !listed.has(parcelId) && open.includes(continentOf(parcelId))
  return { land: sortByName(owned.data).filter(mayList), failed }
}

type ParcelSelectProps = {
  land: readonly SellableParcel[] | undefined
  value: string
  problem: string | undefined
  disabled: boolean
  onChange: (parcelId: string) => void
}

function ParcelSelect({ land, value, problem, disabled, onChange }: ParcelSelectProps) {
  return (
    <div className={styles.typed}>
      <label className={styles.field}>
        <span className={styles.label}>{marketMessages.parcelToSell}</span>
        <SelectField
          value={value}
          choices={[
            ['', land ? marketMessages.choosePrompt : messages.loading],
            ...(land ?? []).map(({ parcelId, countryName }) => [parcelId, countryName] as const),
          ]}
          disabled={disabled}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'which-problem' : undefined}
          data-autofocus
          onChange={onChange}
        />
      </label>
      <p className={styles.problemLine} id="which-problem" role="alert">
        {problem}
      </p>
    </div>
  )
}
