import './home.css'
import { PageFrame } from '../page/PageFrame.tsx'
import { Hero } from './Hero.tsx'
import { Install } from './Install.tsx'
import { Measurements } from './Measurements.tsx'
import { Tour } from './Tour.tsx'

/** The front page: what Hawser is, the modal itself, what was measured, how to install it. */
export function HomePage() {
  return (
    <PageFrame>
      <Hero />
      <Measurements />
      <Tour />
      <Install />
    </PageFrame>
  )
}
