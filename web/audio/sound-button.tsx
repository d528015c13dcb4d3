import { Music, VolumeX } from 'lucide-react'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { words } from '#web/words/en.ts'
import { ownGesture } from './sound-switch.ts'
import { playSound, sound } from './sound.ts'

/** Plays and pauses the music; the effects follow it. */
export function SoundButton({ tone }: { tone: 'paper' | 'wood' }) {
  const on = useStore(sound).state === 'on'
  const Icon = on ? Music : VolumeX
  return (
    <Button
      {...ownGesture}
      tone={tone}
      size="icon"
      aria-label={words.menu.sound}
      aria-pressed={on}
      onClick={() => playSound(!on)}
    >
      <Icon aria-hidden="true" />
    </Button>
  )
}
