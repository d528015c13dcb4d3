import { useParams, useSearchParams } from 'react-router'
import { CONTINENT_NAMES, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { NotFound } from '#web/shell/not-found.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { ContinentChips } from './continent-chips.tsx'
import { ContinentLand } from './continent-land.tsx'
import { OwnedPattern } from '#web/land/land-picture.tsx'

/** A name from the address is cut to this length. */
const MAX_NAME_LENGTH = 40

export default function ParcelsPage() {
  const { regionId = '' } = useParams()
  const [search] = useSearchParams()
  if (!isContinentCode(regionId)) return <NotFound />
  return <Continent code={regionId} name={search.get('regionName')?.slice(0, MAX_NAME_LENGTH)} />
}

function Continent({ code, name }: { code: ContinentCode; name: string | undefined }) {
  const region = name || CONTINENT_NAMES[code]
  return (
    <>
      <OwnedPattern />
      <PageHeader title={region} sub={landMessages.sub} />
      <ContinentChips current={code} />
      <ContinentLand code={code} region={region} />
    </>
  )
}
