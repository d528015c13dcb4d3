import Music from 'lucide-react/icons/music'
import VolumeX from 'lucide-react/icons/volume-x'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { messages } from '#web/messages/en.ts'
import { ownGesture } from '#web/audio/sound-switch.ts'
import { playSound, sound } from '#web/audio/sound.ts'

/** Switches music and sound effects on and off. */
export function SoundButton({ tone }: { tone: 'paper' | 'wood' }) {
  const on = useStore(sound).state === 'on'
  const Icon = on ? Music : VolumeX
  return (
    <Button
      {...ownGesture}
      tone={tone}
      size="icon"
      aria-label={messages.menu.sound}
      aria-pressed={on}
      onClick={() => playSound(!on)}
    >
      <Icon aria-hidden="true" />
    </Button>
  )
}
