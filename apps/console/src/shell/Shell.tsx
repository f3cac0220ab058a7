import { Button, EmptyState, IconButton, SearchIcon } from '@hawser/ui'
import { type ComponentType, lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useMay } from '../api/ApiContext.ts'
import { Role } from '../gen/hawser/options/v1/options_pb.ts'
import { MenuIcon } from '../parts/icons.tsx'
import { Page } from '../parts/Page.tsx'
import { AuditScreen } from '../screens/audit/AuditScreen.tsx'
import { BundlerScreen } from '../screens/bundler/BundlerScreen.tsx'
import { NodesScreen } from '../screens/NodesScreen.tsx'
import { NamesScreen } from '../screens/names/NamesScreen.tsx'
import { OperatorsScreen } from '../screens/operators/OperatorsScreen.tsx'
import { OrdersScreen } from '../screens/orders/OrdersScreen.tsx'
import { CreateProjectScreen } from '../screens/projects/CreateProjectScreen.tsx'
import { ProjectScreen } from '../screens/projects/ProjectScreen.tsx'
import { ProjectsScreen } from '../screens/projects/ProjectsScreen.tsx'
import { SettingsScreen } from '../screens/SettingsScreen.tsx'
import { SuiteScreen } from '../screens/SuiteScreen.tsx'
import { SessionsScreen } from '../screens/sessions/SessionsScreen.tsx'
import { UserScreen } from '../screens/users/UserScreen.tsx'
import { UsersScreen } from '../screens/users/UsersScreen.tsx'
import { texts } from '../texts.ts'
import { Mark } from './Mark.tsx'
import { Navigation } from './Navigation.tsx'
import { goTo, type Route, useRoute } from './route.ts'
import { screens } from './screens.tsx'

// What draws charts or the modal is loaded with its screen.
const OverviewScreen = lazy(() => import('../screens/OverviewScreen.tsx'))
const AnalyticsScreen = lazy(() => import('../screens/analytics/AnalyticsScreen.tsx'))
const ThemeScreen = lazy(() => import('../screens/theme/ThemeScreen.tsx'))

/** From this width on the navigation is beside the screen. */
const wide = '(min-width: 961px)'

/** The navigation and the screen of the route. */
export function Shell() {
  const [first = '', ...rest] = useRoute()
  const isWide = useSyncExternalStore(subscribeWidth, () => matchMedia(wide).matches)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="shell">
      {/* Not a link: the fragment is the route. */}
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        {texts.shell.skip}
      </button>
      {!isWide && (
        <header className="bar">
          <IconButton label={texts.shell.menu} aria-expanded={isOpen} onClick={() => setOpen(true)}>
            <MenuIcon />
          </IconButton>
          <span className="brand">
            <Mark size={24} />
            <span>Hawser</span>
          </span>
        </header>
      )}
      <Navigation current={first} isDrawer={!isWide} isOpen={isOpen} onClose={() => setOpen(false)} />
      <main id="content" tabIndex={-1}>
        <Suspense
          fallback={
            <p className="waiting" role="status">
              {texts.loading}
            </p>
          }
        >
          <Current first={first} rest={rest} />
        </Suspense>
      </main>
    </div>
  )
}

function Current({ first, rest: [id] }: { first: string; rest: Route }) {
  const screen = screens.find(({ path }) => path === first)
  const isAllowed = useMay(screen?.role ?? Role.VIEWER)
  if (!screen || !isAllowed) return <NotFound />
  // Another id is another screen: nothing of the one before is kept.
  const key = id ?? ''
  if (first === 'projects' && id === 'new') return <CreateProjectScreen key={key} />
  if (first === 'projects' && id) return <ProjectScreen key={key} id={id} />
  if (first === 'users' && id) return <UserScreen key={key} id={id} />
  if (first === 'analytics') return <AnalyticsScreen key={first} projectId={id} />
  if (first === 'theme') return <ThemeScreen key={first} projectId={id} />
  const Screen = plainScreens[first] ?? NotFound
  return <Screen key={first} />
}

const plainScreens: Readonly<Record<string, ComponentType>> = {
  '': OverviewScreen,
  suite: SuiteScreen,
  nodes: NodesScreen,
  projects: ProjectsScreen,
  users: UsersScreen,
  orders: OrdersScreen,
  settings: SettingsScreen,
  audit: AuditScreen,
  names: NamesScreen,
  sessions: SessionsScreen,
  bundler: BundlerScreen,
  operators: OperatorsScreen,
}

function NotFound() {
  return (
    <Page title={texts.notFound.title}>
      <EmptyState
        icon={<SearchIcon size={26} />}
        title={texts.notFound.title}
        action={
          <Button size="small" onClick={() => goTo()}>
            {texts.notFound.home}
          </Button>
        }
      >
        {texts.notFound.text}
      </EmptyState>
    </Page>
  )
}

function subscribeWidth(listener: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
