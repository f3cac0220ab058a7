import {
  BoltIcon,
  CardIcon,
  ClockIcon,
  ContactsIcon,
  type IconProps,
  KeyIcon,
  NameIcon,
  SettingsIcon,
} from '@hawser/ui'
import type { ComponentType } from 'react'
import { Role } from '../gen/hawser/options/v1/options_pb.ts'
import {
  ChainIcon,
  ChartIcon,
  LogIcon,
  OverviewIcon,
  PaletteIcon,
  ProjectIcon,
  ServerIcon,
} from '../parts/icons.tsx'
import { texts } from '../texts.ts'

/** A screen of the navigation. */
export interface Screen {
  /** First segment of its route; empty for the overview. */
  readonly path: string
  readonly title: string
  readonly icon: ComponentType<IconProps>
  readonly group: keyof typeof texts.groups
  /** The role that the calls of the screen need. */
  readonly role: Role
}

const { screens: titles } = texts

/** The screens in the order of the navigation. */
export const screens: readonly Screen[] = [
  { path: '', title: titles.overview, icon: OverviewIcon, group: 'watch', role: Role.VIEWER },
  { path: 'analytics', title: titles.analytics, icon: ChartIcon, group: 'watch', role: Role.VIEWER },
  { path: 'nodes', title: titles.nodes, icon: ChainIcon, group: 'watch', role: Role.VIEWER },
  { path: 'suite', title: titles.suite, icon: ServerIcon, group: 'watch', role: Role.VIEWER },
  { path: 'projects', title: titles.projects, icon: ProjectIcon, group: 'manage', role: Role.VIEWER },
  { path: 'theme', title: titles.theme, icon: PaletteIcon, group: 'manage', role: Role.VIEWER },
  { path: 'users', title: titles.users, icon: ContactsIcon, group: 'manage', role: Role.SUPPORT },
  { path: 'orders', title: titles.orders, icon: CardIcon, group: 'manage', role: Role.SUPPORT },
  { path: 'names', title: titles.names, icon: NameIcon, group: 'manage', role: Role.SUPPORT },
  { path: 'sessions', title: titles.sessions, icon: ClockIcon, group: 'manage', role: Role.SUPPORT },
  { path: 'bundler', title: titles.bundler, icon: BoltIcon, group: 'manage', role: Role.SUPPORT },
  {
    path: 'settings',
    title: titles.settings,
    icon: SettingsIcon,
    group: 'installation',
    role: Role.OPERATOR,
  },
  { path: 'audit', title: titles.audit, icon: LogIcon, group: 'installation', role: Role.OPERATOR },
  { path: 'operators', title: titles.operators, icon: KeyIcon, group: 'installation', role: Role.VIEWER },
]
