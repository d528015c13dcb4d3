import { useParams, useSearchParams } from 'react-router'
import { CONTINENT_NAMES, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { LAND_PARAMETER } from '#web/paths.ts'
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
  const name = search.get('regionName')?.slice(0, MAX_NAME_LENGTH)
  return <Continent code={regionId} name={name} opened={search.get(LAND_PARAMETER)} />
}

type ContinentProps = { code: ContinentCode; name: string | undefined; opened: string | null }

function Continent({ code, name, opened }: ContinentProps) {
  const region = name || CONTINENT_NAMES[code]
  return (
    <>
      <OwnedPattern />
      <PageHeader title={region} sub={landMessages.sub(code)} />
      <ContinentChips current={code} />
      {/* Another continent starts with its own choices and details. */}
      <ContinentLand key={code} code={code} region={region} opened={opened} />
    </>
  )
}
