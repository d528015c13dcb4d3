import { Link } from 'react-router'
import scarecrow from '#web/art/scarecrow.svg'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { notFoundMessages } from '#web/messages/en-not-found.ts'
import { PageHeader } from './page-header.tsx'

/** Shown at an unknown address, with a link to the farm. */
export function NotFound() {
  return (
    <>
      <PageHeader title={notFoundMessages.page} sub={notFoundMessages.title} />
      <Frame>
        <Empty
          picture={<img src={scarecrow} width="120" height="150" alt="" />}
          title={notFoundMessages.title}
          text={notFoundMessages.text}
        >
          <Link className={buttonClass({ tone: 'leaf' })} to={paths.myFarm}>
            {notFoundMessages.toFarm}
          </Link>
        </Empty>
      </Frame>
    </>
  )
}
