package host

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// recordName is what a record may be called.
var recordName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// recordPlugins is the command plugin.record.
func (h *Host) recordPlugins(c *console.Call) error {
	h.mu.Lock()
	stage, pc, mode := h.live.stage, h.live.pc, h.mode.stage
	h.mu.Unlock()
	if stage == nil || mode == nil {
		return errLinked
	}
	if c.Args[0] == "off" {
		return h.endRecords(c, stage, mode)
	}
	if !recordName.MatchString(c.Args[0]) {
		return fmt.Errorf("plugin.record: %q is no name for a record: letters, digits, - and _, 64 at most", c.Args[0])
	}
	base := filepath.Join(h.set.Records.Get(), c.Args[0])
	if err := os.MkdirAll(h.set.Records.Get(), 0o755); err != nil {
		return fmt.Errorf("plugin.record: %w", err)
	}
	path, err := h.recordPolicy(base, stage, pc)
	if err != nil {
		return fmt.Errorf("plugin.record: %w", err)
	}
	_, name := stage.Live()
	c.Printf("recording what %s is asked and answers into %s; plugin.record off ends it, sightline plugin replay asks another one the same\n", name, path)
	rules, _ := mode.Name()
	path, err = h.recordRules(base, mode)
	if err != nil {
		return fmt.Errorf("plugin.record: the rules are not recorded: %w", err)
	}
	c.Printf("recording what %s is told and wants into %s, from its next saved state on\n", rules, path)
	return nil
}

// create makes a file of a record, which must not be there.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// recordPolicy begins a record of the policy that decides.
func (h *Host) recordPolicy(base string, stage *plugin.Stage, pc plugin.PolicyConfig) (path string, err error) {
	path = base + ".record"
	f, err := create(path)
	if err != nil {
		return "", err
	}
	_, name := stage.Live()
	head := plugin.RecordHead{
		Policy: strings.TrimPrefix(name, "policy-"), Version: stage.Stats().Version,
		TickRate: pc.TickRate, Seed: pc.Seed, Settings: h.set.policy(name), Level: pc.Level,
	}
	r, err := plugin.NewRecorder(nil, f, head)
	if err != nil {
		f.Close()
		return "", err
	}
	h.mu.Lock()
	old := h.recordFile
	h.recordFile = f
	h.mu.Unlock()
	if was := stage.Record(r); was != nil {
		_, _, _ = was.Close()
		_ = old.Close()
	}
	return path, nil
}

// rulesTape is the file of a record of rules, and whose it is.
type rulesTape struct {
	stage *plugin.RulesStage
	file  *os.File
}

// recordRules begins a record of the rules that run.
func (h *Host) recordRules(base string, mode *plugin.RulesStage) (path string, err error) {
	path = base + ".rules.record"
	f, err := create(path)
	if err != nil {
		return "", err
	}
	_, _, _, _ = h.endRulesRecord(mode) // of the one before
	h.mu.Lock()
	h.rulesTape = rulesTape{mode, f}
	h.mu.Unlock()
	err = mode.Record(f, func(err error) {
		if err != nil {
			h.sayLine("plugin.record: the rules are not recorded: %v", err)
		}
	})
	if err != nil {
		_, _, _, _ = h.endRulesRecord(mode)
		_ = os.Remove(path)
	}
	return path, err
}

// endRulesRecord ends the record of rules, if there is one.
func (h *Host) endRulesRecord(mode *plugin.RulesStage) (path string, kept, missed int, err error) {
	r := mode.StopRecord()
	if r != nil {
		kept, missed, err = r.Close()
	}
	h.mu.Lock()
	f := h.rulesTape.file
	if h.rulesTape.stage != mode {
		f = nil
	} else {
		h.rulesTape = rulesTape{}
	}
	h.mu.Unlock()
	if f == nil {
		return "", 0, 0, nil
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return f.Name(), kept, missed, err
}

// endRecords says what is in the records.
func (h *Host) endRecords(c *console.Call, stage *plugin.Stage, mode *plugin.RulesStage) error {
	r := stage.Record(nil)
	path, told, _, rerr := h.endRulesRecord(mode)
	if r == nil && path == "" {
		return fmt.Errorf("plugin.record: nothing is being recorded")
	}
	if r != nil {
		kept, missed, err := r.Close()
		h.mu.Lock()
		f := h.recordFile
		h.recordFile = nil
		h.mu.Unlock()
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return fmt.Errorf("plugin.record: %d ticks were written, then: %w", kept, err)
		}
		c.Printf("%d ticks are in %s, %d were left out because the disk was behind\n", kept, f.Name(), missed)
	}
	if rerr != nil {
		return fmt.Errorf("plugin.record: %d ticks of the rules were written, then: %w", told, rerr)
	}
	if path != "" {
		c.Printf("%d ticks are in %s\n", told, path)
	}
	return nil
}
