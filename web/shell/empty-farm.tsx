import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import scarecrow from '#web/art/scarecrow.svg'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import { messages } from '#web/messages/en.ts'

/** A farm without pickers, with a link to Buy Pickers. */
export function EmptyFarm({ style, low = false }: { style?: CSSProperties; low?: boolean }) {
  return (
    <Frame style={style}>
      <Empty
        picture={<img src={scarecrow} width="120" height="150" alt="" />}
        title={farmMessages.empty}
        text={farmMessages.emptyText}
        low={low}
      >
        <Link className={buttonClass({ tone: 'leaf' })} to={paths.buyPickers}>
          {messages.menu.buyPickers}
        </Link>
      </Empty>
    </Frame>
  )
}
