package routine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// wantPanic checks that err contains the panic "broken".
func wantPanic(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "panic: broken") {
		t.Errorf("err = %v", err)
	}
}

func TestAPanicIsTheOwnersErrorAndNotTheProcesssEnd(t *testing.T) {
	ctx := t.Context()
	t.Run("of a call", func(t *testing.T) {
		wantPanic(t, routine.Call(ctx, func() error { panic("broken") }))
	})
	t.Run("of a goroutine", func(t *testing.T) {
		wantPanic(t, <-routine.Go(ctx, func() error { panic("broken") }))
	})
	t.Run("of a goroutine with a result", func(t *testing.T) {
		answers := make(chan error, 1)
		routine.Send(ctx, answers, func() error { panic("broken") }, func(err error) error { return err })
		wantPanic(t, <-answers)
	})
	t.Run("of a goroutine in a group", func(t *testing.T) {
		g, grouped := routine.NewGroup(ctx)
		g.Go(func() error { panic("broken") })
		g.Go(func() error { <-grouped.Done(); return nil })
		wantPanic(t, g.Wait())
	})
	t.Run("of a goroutine in a wait group", func(t *testing.T) {
		var g routine.WaitGroup
		var failed error
		g.Go(ctx, func() { panic("broken") }, func(err error) { failed = err })
		g.Wait()
		wantPanic(t, failed)
	})
	t.Run("of a shared run", func(t *testing.T) {
		var f routine.Flights
		result := <-f.DoChan(ctx, "key", func() (any, error) { panic("broken") })
		wantPanic(t, result.Err)
	})
}

func TestAnErrorIsReturnedAsItIs(t *testing.T) {
	failure := errors.New("refused")
	if err := routine.Call(context.Background(), func() error { return failure }); !errors.Is(err, failure) {
		t.Errorf("err = %v", err)
	}
	var f routine.Flights
	result := <-f.DoChan(t.Context(), "key", func() (any, error) { return 7, failure })
	if !errors.Is(result.Err, failure) || result.Val != 7 {
		t.Errorf("result %v", result)
	}
}

func TestCollectReturnsResultsInOrder(t *testing.T) {
	failed := errors.New("failed")
	all := routine.Collect(t.Context(), 4, func(i int) (int, error) {
		switch i {
		case 1:
			return 0, failed
		case 2:
			panic("broken")
		}
		return 10 * i, nil
	})
	if len(all) != 4 || all[0].Value != 0 || all[0].Err != nil || !errors.Is(all[1].Err, failed) || all[3].Value != 30 || all[3].Err != nil {
		t.Errorf("got %+v", all)
	}
	wantPanic(t, all[2].Err)
	if none := routine.Collect(t.Context(), 0, func(int) (int, error) { return 0, failed }); len(none) != 0 {
		t.Errorf("of no calls: got %+v", none)
	}
}

func TestCollectDoesNotWaitBeyondItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release, returned := make(chan struct{}), make(chan struct{})
	all := routine.Collect(ctx, 2, func(i int) (string, error) {
		if i == 0 {
			return "early", nil
		}
		cancel()
		<-release
		close(returned)
		return "late", nil
	})
	if all[1].Value != "" || !errors.Is(all[1].Err, context.Canceled) {
		t.Errorf("the late call: got %+v", all[1])
	}
	close(release)
	<-returned
}
