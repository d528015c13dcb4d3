import Menu from 'lucide-react/icons/menu'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { messages } from '#web/messages/en.ts'
import { menu, toggleMenu } from './menu-store.ts'

export const MENU_ID = 'side-menu'

export function MenuToggle() {
  const open = useStore(menu)
  return (
    <Button
      tone="wood"
      size="icon"
      aria-label={open ? messages.menu.close : messages.menu.open}
      aria-expanded={open}
      aria-controls={MENU_ID}
      onClick={toggleMenu}
    >
      <Menu strokeWidth={3.5} aria-hidden="true" />
    </Button>
  )
}
