import { Link } from 'react-router'
import scarecrow from '#web/art/scarecrow.svg'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { messages } from '#web/messages/en.ts'
import { PageHeader } from './page-header.tsx'

/** Shown at an unknown address, with a link to the farm. */
export function NotFound() {
  return (
    <>
      <PageHeader title={messages.errors.notFoundPage} sub={messages.errors.notFound} />
      <Frame>
        <Empty
          picture={<img src={scarecrow} width="120" height="150" alt="" />}
          title={messages.errors.notFound}
          text={messages.errors.notFoundText}
        >
          <Link className={buttonClass({ tone: 'leaf' })} to={paths.myFarm}>
            {messages.errors.toFarm}
          </Link>
        </Empty>
      </Frame>
    </>
  )
}
