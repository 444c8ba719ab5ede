// Package plan runs a plan with a client of a Go SDK; what plan and answer look like is said in run-plan.mjs.
package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const stepLimit = 60 * time.Second

type Step struct {
	Do        string         `json:"do"`
	Name      string         `json:"name"`
	URI       string         `json:"uri"`
	Arguments map[string]any `json:"arguments"`
}

type Plan struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Steps   []Step            `json:"steps"`
}

type Work = func(context.Context, Step) (any, error)

type result struct {
	Ok    any    `json:"ok,omitempty"`
	Error string `json:"error,omitempty"`
}

// WithProgress is what the step `callWithProgress` gives.
type WithProgress struct {
	Text     string    `json:"text"`
	Progress []float64 `json:"progress"`
}

// Run connects, takes each step, and prints what came of it.
func Run(connect func(context.Context, Plan) (map[string]Work, func(), error)) {
	var plan Plan
	if err := json.Unmarshal([]byte(os.Args[1]), &plan); err != nil {
		panic(err)
	}
	steps, done, failure := connect(context.Background(), plan)
	results := []result{}
	for _, step := range plan.Steps {
		results = append(results, take(steps, step, failure))
	}
	if failure == nil {
		done()
	}
	text, err := json.Marshal(map[string]any{"results": results})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func take(steps map[string]Work, step Step, failure error) result {
	if failure != nil {
		return result{Error: failure.Error()}
	}
	work, ok := steps[step.Do]
	if !ok {
		return result{Error: "unsupported: " + step.Do}
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepLimit)
	defer cancel()
	value, err := work(ctx, step)
	if err != nil {
		return result{Error: err.Error()}
	}
	return result{Ok: value}
}

// Await takes one from a channel.
func Await(changes <-chan struct{}) Work {
	return func(ctx context.Context, _ Step) (any, error) {
		select {
		case <-changes:
			return "changed", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Tell puts one into a channel that has room, and forgets it otherwise.
func Tell(changes chan<- struct{}) {
	select {
	case changes <- struct{}{}:
	default:
	}
}
