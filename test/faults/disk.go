package main

import (
	"fmt"
	"os"
	"syscall"
)

// diskBytes is the size of a disk that has room.
const diskBytes = 1 << 30

// disk is a file system of its own, in memory.
type disk struct{ dir string }

func newDisk(dir string) (disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return disk{}, err
	}
	return disk{dir}, system("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d,mode=0755", diskBytes), "tmpfs", dir)
}

// fill makes the disk as small as what is on it.
func (d disk) fill() error {
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.dir, &s); err != nil {
		return err
	}
	used := (s.Blocks - s.Bfree) * uint64(s.Bsize)
	const slack = 64 << 10 // what is written meanwhile
	return d.resize(used + slack)
}

// empty resets the disk to its original size.
func (d disk) empty() error { return d.resize(diskBytes) }

func (d disk) resize(bytes uint64) error {
	return system("mount", "-o", fmt.Sprintf("remount,size=%d", bytes), d.dir)
}

// remove unmounts the disk, even while a process that is ending holds it.
func (d disk) remove() error { return system("umount", "-l", d.dir) }
